/**
 * The results of last night, in three projects with 36 checks. The commit before the page of a night, 2c07133f, has lists that show for
 * each check the time of the last ping, and the number of unexpected ones among its last 30 runs. So one opens from the overview the list
 * of the first project, a check that had failed to see when that was, the list of the second, by the switch of projects, two checks there,
 * and the list of the third and a check in it.
 */
import { handsOn } from './hands.ts'
import { reached, type Task } from './task.ts'

export const lastNight: Task = {
  what: 'see what ran last night',
  before: { commit: '2c07133f', pages: 8, fields: 0, clicks: 10, words: 0 },
  async walk({ demo, page, run }) {
    await page.goto(demo.url)
    const hands = handsOn(page, run)
    await hands.press('g n')
    await page.getByRole('heading', { level: 1, name: 'Night of 17 to 18 November' }).waitFor()
    const night = String(await page.locator('main').textContent())
    for (const name of ['Abandoned baskets', 'Mailbox archive', 'NAS snapshots', 'Stock ETL']) {
      reached(night.includes(name), `the night does not name the check "${name}"`)
    }
    return hands.count()
  },
}
