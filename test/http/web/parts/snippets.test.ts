/** Texts of the snippets. `test-slow/lines/` runs them. */
import { expect, test } from 'bun:test'
import type { CheckTiming } from '../../../../src/domain/job-schedule/job-schedule.ts'
import { chooseSnippet, SNIPPETS, snippetPicker } from '../../../../src/http/web/parts/snippets.ts'
import { Temporal } from '../../../../src/lib/time.ts'

const URL = 'https://x.example/ping/1'
const TIMING = { kind: 'cron', schedule: '30 3 * * *', timeoutSeconds: 60, tz: 'Europe/Riga' } as const
const ROOT = 'https://x.example'
const NOW = Temporal.Instant.from('2026-05-04T10:00:00Z')

const picked = (check: Partial<CheckTiming>) =>
  snippetPicker({ chosen: 'python', pingUrl: URL, check: { ...TIMING, ...check }, now: NOW, siteRoot: ROOT }).text

test('the crontab snippet has the schedule and the zone of the check, and says where the zone is ignored', () => {
  const text = picked({ kind: 'cron', schedule: ' 30 3 * * * ' })
  expect(text).toMatch(/# .*Debian.* ignores CRON_TZ.*\nCRON_TZ=Europe\/Riga\n(<b>)?30 3 \* \* \* {2}url=/)
})

test('the crontab and Kubernetes snippets of a check with a period are examples that keep it, without a zone', () => {
  const check = { ...TIMING, kind: 'simple', timeoutSeconds: 7_200 } as const
  expect(SNIPPETS.crontab(URL, check, NOW, ROOT)).toStartWith(
    '# An example: the check expects a ping every 2 hours.\n0 */2 * * *  url=',
  )
  const manifest = SNIPPETS.kubernetes(URL, check, NOW, ROOT)
  expect(manifest).toStartWith('# An example: the check expects a ping every 2 hours.\n')
  expect(Bun.YAML.parse(manifest)).toMatchObject({ spec: { schedule: '0 */2 * * *', timeZone: 'Etc/UTC' } })
})

test('the Kubernetes snippet has no schedule that Kubernetes refuses', () => {
  const specOf = (schedule: string) => Bun.YAML.parse(SNIPPETS.kubernetes(URL, { ...TIMING, schedule }, NOW, ROOT))
  expect(specOf('0 5 * * 5-7')).toMatchObject({ spec: { schedule: '0 5 * * 0,5,6' } })
  expect(SNIPPETS.kubernetes(URL, { ...TIMING, schedule: '0 5 L * *' }, NOW, ROOT)).toMatch(
    /^# An example: Kubernetes cannot .*Last day/,
  )
})

test('no percent sign ends the command of the crontab snippet', () => {
  expect(SNIPPETS.crontab('https://x.example/a%20b/ping/1', TIMING, NOW, ROOT)).not.toMatch(/[^\\]%/)
})

test('the Kubernetes snippet has the schedule and the zone of the check', () => {
  expect(Bun.YAML.parse(SNIPPETS.kubernetes(URL, TIMING, NOW, ROOT))).toMatchObject({
    spec: { schedule: '30 3 * * *', timeZone: 'Europe/Riga' },
  })
})

test('pings on GitHub neither fail a workflow nor keep it, and the last one tells failed and cancelled jobs', () => {
  const { steps } = Bun.YAML.parse(SNIPPETS.github(URL, TIMING, NOW, ROOT)) as { steps: Record<string, unknown>[] }
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

test('a word before the command is fetched from this server, and names the check by its URL', () => {
  const text = SNIPPETS.wrapper(URL, TIMING, NOW, 'https://x.example/below')
  expect(text).toContain('curl -fsSo /usr/local/bin/overdue-run https://x.example/below/overdue-run && chmod 755')
  for (const word of ['overdue-run', 'overdue run']) expect(text).toContain(`\n${word} --check ${URL} -- ./backup.sh`)
  const odd = SNIPPETS.wrapper(URL, TIMING, NOW, 'https://x.example/a;b')
  expect(odd).toContain("overdue-run 'https://x.example/a;b/overdue-run' &&")
})

test('a name that is none chooses bash', () => {
  expect([null, 'nothing', '__proto__', 'ruby'].map(chooseSnippet)).toEqual(['bash', 'bash', 'bash', 'ruby'])
})
