/**
 * A program that pings a URL, one ping after the other, until its input ends. It prints `ready` after the first ping, and at the end the
 * milliseconds of the slowest later one.
 */
import { argv, stdout } from 'node:process'

const [url = ''] = argv.slice(2)
let isOver = false
const over = Bun.stdin.text().then(() => {
  isOver = true
})

let longest = 0
for (let isFirst = true; !isOver; isFirst = false) {
  const began = performance.now()
  const answer = await fetch(url)
  if ((await answer.text()) !== 'OK') throw new Error(`a ping was answered with ${answer.status}`)
  if (isFirst) stdout.write('ready\n')
  else longest = Math.max(longest, performance.now() - began)
}
await over
stdout.write(`${longest}\n`)
