/** Shows the progress of a long operation as one line on a terminal: the amount, the rate and the remaining time. */
import { Worker } from 'node:worker_threads'
import type { LongWork, OnLongWork } from '../../lib/work/long-work.ts'
import type { Output, Terminal } from './io.ts'

/**
 * Minimum amounts of work for which progress is shown. Smaller amounts finish before a user could read the progress line. The minimum for
 * imported rows is lower, because a row may require a request to another server.
 */
const WORTH_SHOWING = { bytes: 32 * 1024 * 1024, rows: { copying: 10_000, comparing: 10_000, importing: 20 } }

function isWorthShowing(work: LongWork): boolean {
  return 'rows' in work ? work.rows >= WORTH_SHOWING.rows[work.doing] : work.bytes >= WORTH_SHOWING.bytes
}

const CLEAR_LINE = '\r\x1b[K'

/**
 * Shows a progress line during the work, and removes it at the end.
 * @param err the terminal on which the line is shown, which is standard error; null to show nothing
 * @param work calls its argument at the beginning of each phase
 * @param silentMs minimum duration, in milliseconds, before the line is shown
 */
export async function withProgress<Result>(
  err: Output | null,
  work: (onWork: OnLongWork) => Promise<Result>,
  silentMs = 1000,
): Promise<Result> {
  const terminal = err?.terminal ?? null
  let thread: Worker | null = null
  const show = (begun: LongWork) => {
    if (thread !== null) thread.postMessage(begun)
    else if (terminal !== null && isWorthShowing(begun)) thread = startThread(begun, terminal, silentMs)
  }
  try {
    return await work(show)
  } finally {
    const started = thread as Worker | null
    if (started !== null) {
      await started.terminate()
      void err?.write(CLEAR_LINE)
    }
  }
}

/** Starts the thread that draws the line. If that fails, the work continues without a progress line. */
function startThread(begun: LongWork, terminal: Terminal, silentMs: number): Worker | null {
  try {
    const thread = new Worker(THREAD, { eval: true, workerData: { begun, ...terminal, silentMs } })
    thread.on('error', () => {})
    return thread
  } catch {
    return null
  }
}

/**
 * The code of the thread that draws the line. SQLite blocks the main thread, so the main thread cannot draw. The code is a string so that
 * compiled programs include it. Progress is the size of the growing file, or the number of rows that the main thread reports.
 */
const THREAD = `
  const { statSync, writeSync } = require('node:fs')
  const { basename } = require('node:path')
  const { parentPort, workerData } = require('node:worker_threads')
  const SECOND = 1000
  const started = performance.now()
  let work = { ...workerData.begun, since: started, before: workerData.begun.done }
  parentPort.on('message', (told) => {
    const goesOn = told.rows !== undefined && told.doing === work.doing
    work = { ...told, ...(goesOn ? { since: work.since, before: work.before } : { since: performance.now(), before: told.done }) }
  })

  const megabytes = (bytes) => (bytes / 1e6).toFixed(1)
  const span = (seconds) => seconds < 100 ? Math.ceil(seconds) + ' s' : Math.ceil(seconds / 60) + ' min'

  const number = (rows) => Math.round(rows).toLocaleString('en')

  function howMany({ rows, done, before }, seconds) {
    const rate = (done - before) / seconds
    const left = rate > 0 ? span(Math.max(0, rows - done) / rate) + ' left' : span(seconds) + ' so far'
    return number(done) + ' of ' + number(rows) + ', ' + number(rate) + ' rows/s, ' + left
  }

  function howFar({ grows, bytes }, seconds) {
    const done = grows === null ? 0 : statSync(grows, { throwIfNoEntry: false })?.size ?? 0
    if (done === 0) return megabytes(bytes) + ' MB, ' + span(seconds) + ' so far'
    const rate = done / seconds
    const left = Math.max(0, bytes - done) / rate
    return megabytes(done) + ' of ' + megabytes(bytes) + ' MB, ' + megabytes(rate) + ' MB/s, ' + span(left) + ' left'
  }

  setInterval(() => {
    const now = performance.now()
    if (now - started < workerData.silentMs) return
    const seconds = (now - work.since) / SECOND
    const line = work.rows === undefined
      ? work.doing + ' ' + basename(work.path) + ': ' + howFar(work, seconds)
      : work.doing + ' ' + work.table + ': ' + howMany(work, seconds)
    writeSync(workerData.descriptor, ${JSON.stringify(CLEAR_LINE)} + line.slice(0, workerData.columns - 1))
  }, 200)`
