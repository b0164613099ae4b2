/**
 * Writes eight kibibytes to a file and waits for the disk, again and again, until its standard input ends, then prints the milliseconds of
 * the longest wait: the delay that the disk alone causes. Argument: a folder.
 */
import { fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const PAUSE_MS = 5
const page = new Uint8Array(8_192)
const path = join(process.argv[2] ?? '.', `sync-${process.pid}`)
const file = openSync(path, 'w')
let isOver = false
const ended = Bun.stdin.text().then(() => {
  isOver = true
})
let longest = 0
while (!isOver) {
  const began = performance.now()
  writeSync(file, page, 0, page.length, 0)
  fdatasyncSync(file)
  longest = Math.max(longest, performance.now() - began)
  await Bun.sleep(PAUSE_MS)
}
await ended
rmSync(path)
process.stdout.write(JSON.stringify(longest))
process.exit(0)
