/**
 * Why a check alerted in the night that is up again, asked in a shell. On the commit e656cf3e `overdue check show` says only how the check is now, and
 * its UUID; what came is in the API. So one shows the check, and asks with `curl` and a key that stands in a variable for the list of its pings, and for
 * the output of the one that failed. In a browser the page of the check said it already, after two pages and two clicks.
 */
import { handsOn } from './hands.ts'
import { reached, type Task } from './task.ts'

export const why: Task = {
  what: 'see why a check alerted',
  before: { commit: 'e656cf3e', pages: 3, fields: 0, clicks: 3, words: 15 },
  async walk({ page, run }) {
    const hands = handsOn(page, run)
    const { out } = await hands.command('log', 'abandoned-baskets', '--project', 'Harbour Books')
    reached(out.includes('redis.exceptions.TimeoutError'), `the log does not say what the failure printed:\n${out}`)
    return hands.count()
  },
}
