// Reads a feed with feedsmith, and prints how many entries it has. Arguments: node_modules, feed.
const { readFileSync } = require('node:fs')
const { createRequire } = require('node:module')

const [, , modules, path] = process.argv
const { parseFeed } = createRequire(`${modules}/`)('feedsmith')
const { feed } = parseFeed(readFileSync(path, 'utf8'))
console.log((feed.items ?? feed.entries).length)
