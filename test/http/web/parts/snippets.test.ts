/** What the snippets say. `test-slow/lines/` runs them. */
import { expect, test } from 'bun:test'
import { chooseSnippet, SNIPPETS, snippetPicker } from '../../../../src/http/web/parts/snippets.ts'

const URL = 'https://x.example/ping/1'
const RHYTHM = { cron: '30 3 * * *', tz: 'Europe/Riga' }

const picked = (check: { kind: 'cron' | 'simple'; schedule: string }) =>
  snippetPicker({ chosen: 'python', pingUrl: URL, check: { ...check, tz: 'Europe/Riga' } }).text

test('the crontab snippet has the schedule and the zone of the check, and says where the zone is ignored', () => {
  const text = picked({ kind: 'cron', schedule: ' 30 3 * * * ' })
  expect(text).toMatch(/# .*Debian.* ignores CRON_TZ.*\nCRON_TZ=Europe\/Riga\n(<b>)?30 3 \* \* \* {2}url=/)
})

test('the crontab snippet of a check without a cron expression is an example without a zone', () => {
  const text = picked({ kind: 'simple', schedule: '* * * * *' })
  expect(text).toContain('0 2 * * *  url=')
  expect(text).not.toContain('CRON_TZ')
})

test('no percent sign ends the command of the crontab snippet', () => {
  expect(SNIPPETS.crontab('https://x.example/a%20b/ping/1', RHYTHM)).not.toMatch(/[^\\]%/)
})

test('the Kubernetes snippet has the schedule and the zone of the check', () => {
  expect(Bun.YAML.parse(SNIPPETS.kubernetes(URL, RHYTHM))).toMatchObject({
    spec: { schedule: '30 3 * * *', timeZone: 'Europe/Riga' },
  })
})

test('pings on GitHub neither fail a workflow nor keep it, and the last one tells failed and cancelled jobs', () => {
  const { steps } = Bun.YAML.parse(SNIPPETS.github(URL, RHYTHM)) as { steps: Record<string, unknown>[] }
  const [start, job, end] = steps
  for (const ping of [start, end]) expect(ping).toMatchObject({ 'continue-on-error': true, 'timeout-minutes': 1 })
  expect(job?.shell).toBe('bash')
  expect(end?.if).toBe(`\${{ always() }}`)
  expect(end?.run).toContain(`job.status == 'success' && '${URL}' || '${URL}/fail'`)
})

test('every snippet has the URL, and stands out where it is', () => {
  const text = picked({ kind: 'simple', schedule: '' })
  for (const name of Object.keys(SNIPPETS)) {
    const [, body] = new RegExp(`data-snippet="${name}"><pre[^>]*>([\\s\\S]*?)</pre>`).exec(text) ?? []
    expect([name, /<b>[^\n]*https:\/\/x\.example\/ping\/1[^\n]*<\/b>/.test(body ?? '')]).toEqual([name, true])
  }
  expect(text.match(/value="\w+" checked/g)).toEqual(['value="python" checked'])
})

test('a name that is none chooses bash', () => {
  expect([null, 'nothing', '__proto__', 'ruby'].map(chooseSnippet)).toEqual(['bash', 'bash', 'bash', 'ruby'])
})
