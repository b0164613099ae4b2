/**
 * Another grace time for ten checks of a list. On the commit e656cf3e one opens each check from the list, its schedule by a key, types the
 * grace time, chooses its unit if it differs, saves by a key, and goes back to the list.
 */
import { handsOn } from './hands.ts'
import { reached, type Task } from './task.ts'

const CHECKS = 10
const SECONDS = 7_200
const PROJECT = 'Harbour Books'

export const grace: Task = {
  what: 'change the grace time of ten checks',
  before: { commit: 'e656cf3e', pages: 39, fields: 16, clicks: 45, words: 10 },
  async walk({ demo, page, run }) {
    await page.goto(`${demo.url}/p/${await demo.findSlug(PROJECT)}/checks`)
    const hands = handsOn(page, run)
    const boxes = page.locator('tbody input[name="c"]')
    await hands.click(boxes.first())
    await hands.click(boxes.nth(CHECKS - 1), ['Shift'])
    await hands.click(page.getByRole('button', { name: 'Change schedule or grace…' }))
    await hands.type(page.getByRole('group', { name: 'Grace', exact: true }).getByLabel('Set to', { exact: true }), '2')
    await hands.click(page.getByRole('button', { name: `Change ${CHECKS} checks` }))
    await page.getByRole('heading', { level: 1, name: 'Checks' }).waitFor()
    const { out } = await run(['check', 'list', '--project', PROJECT, '--json'])
    const checks: readonly { readonly grace: number }[] = JSON.parse(out)
    const changed = checks.filter(({ grace }) => grace === SECONDS).length
    reached(changed >= CHECKS, `${changed} checks have the grace time`)
    return hands.count()
  },
}
