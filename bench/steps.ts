/**
 * Daily tasks, done step by step in the demo by a browser and by commands. Each task has the steps of an earlier commit, which its
 * docstring describes. A task meets its aim if it takes at most half as many.
 */

import { startDemo } from '../scripts/demo/demo.ts'
import { Temporal } from '../src/lib/time.ts'
import { run } from '../test/support/command-line.ts'
import { openBrowser } from '../test-slow/support/browser.ts'
import { crontab } from './steps/crontab.ts'
import { grace } from './steps/grace.ts'
import { type Steps, sumOf } from './steps/hands.ts'
import { lastNight } from './steps/last-night.ts'
import { mail } from './steps/mail.ts'
import type { Place, Task } from './steps/task.ts'
import { why } from './steps/why.ts'
import type { Bench } from './support/bench.ts'
import { progress } from './support/figures.ts'
import type { Row } from './support/table.ts'

const TASKS = [crontab, grace, why, mail, lastNight]

/** A Wednesday morning in Riga. */
const PRESENT = '2026-11-18T08:47:00Z'
const WINDOW = { width: 1280, height: 860 }
const MOST = 0.5

export async function measureSteps(bench: Bench): Promise<Row[]> {
  const [demo, browser] = await Promise.all([
    startDemo({ port: '0', frozenAt: PRESENT, onLine: () => {} }),
    openBrowser(),
  ])
  try {
    const context = await browser.newContext({ viewport: WINDOW, permissions: ['clipboard-read', 'clipboard-write'] })
    const page = await context.newPage()
    await page.goto(demo.signInLink)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    const settings = { DATABASE_URL: demo.databaseUrl }
    const now = () => Temporal.Instant.from(PRESENT)
    const place: Place = { bench, demo, browser, page, run: (words) => run(words, settings, '', now) }
    const rows: Row[] = []
    for (const task of TASKS) {
      const steps = await task.walk(place).catch((error) => void bench.reportProblem(`${task.what}: ${error}`))
      if (steps) rows.push(rowOf(task, steps))
    }
    return rows
  } finally {
    await browser.close()
    await demo.stop()
  }
}

function rowOf({ what, before }: Task, steps: Steps): Row {
  const ratio = sumOf(steps) / sumOf(before)
  progress(`${what}: ${sumOf(steps)} steps instead of ${sumOf(before)}`)
  const figure = (name: keyof Steps) => ({ name, values: [steps[name]], digits: 0, unit: ` of ${before[name]}` })
  return {
    what: `steps to ${what}`,
    figures: [figure('pages'), figure('fields'), figure('clicks'), figure('words')],
    ratio: { values: [ratio], to: before.commit, digits: 2 },
    aim: { text: `ratio ≤ ${MOST}`, isMet: ratio <= MOST },
  }
}
