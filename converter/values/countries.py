"""Country codes, and `media:restriction` (mapping 3.8)."""

from __future__ import annotations

from converter.issues import Code, Note
from converter.model import Restriction

#: ISO 3166-1, alpha-2 and alpha-3 in one word: https://www.iso.org/obp/ui/#search/code/, as in
#: Debian's iso-codes 4.15 (249 entries).
_ISO_3166 = """
ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA
AZAZE BABIH BBBRB BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES
BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK
CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA
DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK FMFSM FOFRO FRFRA
GAGAB GBGBR GDGRD GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS
GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD
IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA
KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA
LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ
MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM NCNCL NENER NFNFK NGNGA NINIC
NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM
PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC
SDSDN SESWE SGSGP SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV
SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON TRTUR
TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR
VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE
"""
#: The officially assigned alpha-2 codes.
ALPHA2 = frozenset(pair[:2] for pair in _ISO_3166.split())
_ALPHA2_OF = {
    **{code: code for code in ALPHA2},
    **{pair[2:]: pair[:2] for pair in _ISO_3166.split()},
    "UK": "GB",  # reserved for the United Kingdom, and in use
}

#: (relationship, word) -> whether the video may be played nowhere.
_LITERALS = {
    ("allow", "none"): True,
    ("deny", "all"): True,
    ("allow", "all"): False,
    ("deny", "none"): False,
}
_NOWHERE = Restriction(relationship="allow")


def codes(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Split a list of countries into alpha-2 codes and unknown words, each in order and once.

    Alpha-3 codes become alpha-2, `UK` becomes `GB`.
    """
    known: dict[str, None] = {}
    unknown: dict[str, None] = {}
    for word in text.replace(",", " ").replace(";", " ").split():
        # some other letters have an ASCII upper case: "ıt" is not Italy
        code = _ALPHA2_OF.get(word.upper()) if word.isascii() else None
        if code:
            known[code] = None
        else:
            unknown[word] = None
    return tuple(known), tuple(unknown)


def restriction(
    relationship: str | None, type_: str | None, text: str
) -> tuple[Restriction | None, tuple[Note, ...]]:
    """Parse `media:restriction` by country; None if it restricts nothing, or not by country.

    "Allowed nowhere" is an allow list without codes. So is a list whose codes are all unknown: its
    `unknown` holds the words, and a target must not read it as "allowed everywhere".
    """
    kind = (type_ or "").strip().lower()
    if kind == "sharing":
        return None, ()
    if kind not in {"", "country"}:
        return _ignored(Code.RESTRICTION_IGNORED, f'type "{kind[:40]}" is not mapped')
    side = (relationship or "").strip().lower()
    if side != "allow" and side != "deny":
        found = f'relationship "{side[:40]}"' if side else "no relationship"
        return _ignored(Code.RESTRICTION_UNUSABLE, f"{found}; it must be allow or deny")
    words = text.strip().lower()
    is_nowhere = _LITERALS.get((side, words or "none")) if words or kind else None
    if is_nowhere is not None:
        return (_NOWHERE if is_nowhere else None), ()
    if not kind:
        return _ignored(
            Code.RESTRICTION_WITHOUT_TYPE, "without a type only all and none are understood"
        )
    known, unknown = codes(text)
    notes: tuple[Note, ...] = ()
    if unknown:
        message = f'unknown country codes "{", ".join(unknown)[:60]}"; left out of the {side} list'
        notes = ((Code.COUNTRY_UNKNOWN, message),)
    if side == "deny" and not known:  # denies nothing
        return None, notes
    return Restriction(
        "allow" if side == "allow" else "deny", known, () if known else unknown
    ), notes


def sharing(relationship: str | None) -> bool | None:
    """Parse the relationship of a `sharing` restriction: whether embedding is allowed."""
    return {"allow": True, "deny": False}.get((relationship or "").strip().lower())


def _ignored(code: Code, reason: str) -> tuple[None, tuple[Note, ...]]:
    return None, ((code, f"restriction ignored: {reason}"),)
