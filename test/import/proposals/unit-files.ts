/** Unit files of systemd for tests of their import. */
import type { PingingWay } from '../../../src/import/proposals/ping-lines.ts'
import { planTimers } from '../../../src/import/proposals/systemd/systemd.ts'
import { Temporal } from '../../../src/lib/time.ts'

const OPTIONS = {
  zone: 'Europe/Riga',
  prefix: '',
  taken: new Set<string>(),
  now: Temporal.Instant.from('2026-05-04T10:00:00Z'),
  pingEndpoint: 'https://example.net/here/',
}
export const ID = '6f2ae1f6-93f9-4bb0-a5b0-0ac7d2c0a4a1'
export const DAY = 86_400
export const URL = `https://overdue.example.org/ping/${ID}`

/** @param files contents by path */
export const plan = (
  files: Readonly<Record<string, string>>,
  instances: readonly string[] = [],
  linked: readonly string[] = [],
  by: PingingWay = 'curl',
) =>
  planTimers(
    Object.entries(files).map(([path, text]) => ({ path, text })),
    { ...OPTIONS, by },
    { instances, linked },
  )

/** Plans a daily timer with the service. */
export const service = (text: string, by: PingingWay = 'curl') =>
  plan({ 'job.timer': '[Timer]\nOnCalendar=daily\n', 'job.service': text }, [], [], by)
