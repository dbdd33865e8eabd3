"""Words that formats borrow from each other: Media RSS, iTunes, Dublin Core, sitemap extensions."""
