/** Announces which checks went down and which came back up. It announces at most one sentence every five seconds. */
import { announce } from '../announce.ts'

const EVERY_MS = 5_000

let waiting: string[] = []
let nextAt = 0
let timer = 0

export function tellNews(sentence: string): void {
  waiting.push(sentence)
  if (timer === 0) timer = window.setTimeout(say, Math.max(0, nextAt - Date.now()))
}

function say(): void {
  timer = 0
  nextAt = Date.now() + EVERY_MS
  announce(waiting.length === 1 ? (waiting[0] ?? '') : `${waiting.length} checks changed`)
  waiting = []
}
