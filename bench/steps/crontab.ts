/**
 * Checks for the five jobs of a crontab, on a machine in another zone than one's own, and the lines with which they ping. On the commit
 * e656cf3e one opens for each job a new check by a key, chooses "Cron", pastes its line, which fills in name and schedule, types the zone,
 * saves by a key, copies the ping URL by a key, and goes back to the list by a key. `overdue import crontab` existed for people with a
 * shell on the machine of the server.
 */
import { handsOn } from './hands.ts'
import { reached, type Task } from './task.ts'

const PROJECT = 'Harbour Books'
const ZONE = 'America/New_York'
const CRONTAB = `MAILTO=ops@harbourbooks.example
5 1 * * * /opt/db-dump.sh
35 1 * * * /opt/offsite.sh --quiet
0 */2 * * * /opt/feeds.sh
15 7 * * 1-5 /opt/bank-import
@daily /opt/giftcards expire
`
const JOBS = 5

export const crontab: Task = {
  what: 'watch five cron jobs with a zone',
  before: { commit: 'e656cf3e', pages: 14, fields: 10, clicks: 29, words: 5 },
  async walk({ demo, page, run }) {
    await page.goto(`${demo.url}/p/${await demo.findSlug(PROJECT)}/checks`)
    const hands = handsOn(page, run)
    await hands.press('n')
    await hands.click(page.getByRole('link', { name: 'Paste a crontab' }))
    await hands.paste(page.getByLabel('Crontab', { exact: true }), CRONTAB)
    await hands.type(page.getByLabel('The machine’s cron runs in'), ZONE)
    await page.getByText(`${JOBS} jobs: ${JOBS} new.`).waitFor()
    await hands.click(page.getByRole('button', { name: 'Copy: Crontab with pings' }))
    await hands.click(page.getByRole('button', { name: `Create ${JOBS} checks` }))
    await page.getByRole('heading', { level: 1, name: 'Checks' }).waitFor()
    const { out } = await run(['check', 'list', '--project', PROJECT, '--json'])
    const checks: readonly { readonly tz: string }[] = JSON.parse(out)
    const made = checks.filter(({ tz }) => tz === ZONE).length
    reached(made === JOBS, `${made} checks have the zone`)
    return hands.count()
  },
}
