/** The pings of a soak: ping number n is the same in every run. Pure. */
import type { Check, SoakTarget } from './target.ts'

interface PlannedPing {
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly body: string | null
}

type Action = 'success' | 'start' | 'end' | 'bare start' | 'zero' | 'log' | 'fail' | 'status'

/** Pings of a check, in this order. The next `end` ends the run that a `start` began. */
const ACTIONS: readonly Action[] = [
  ...(['start', 'end', 'success', 'log', 'success', 'bare start', 'success', 'zero', 'success', 'fail'] as const),
  ...(['success', 'success', 'log', 'start', 'log', 'end', 'success', 'zero', 'status', 'success'] as const),
]
/** Sizes of bodies. Most are small, as in practice. The server keeps at most 10,000 bytes. */
const BODY_BYTES = [0, 0, 120, 0, 40, 1_500, 0, 300, 0, 4_200, 0, 20, 0, 0, 700, 10_000, 0, 60, 0, 0, 2_500, 0, 5]
const TEXT = 'backup of /srv: 12,345 files, 678 MB, nothing skipped\n'.repeat(200)

/** Mean size over all pings, including those without a body. */
export const MEAN_BODY_BYTES = BODY_BYTES.reduce((sum, bytes) => sum + bytes, 0) / BODY_BYTES.length

/** @param n counts from 0; the busy checks take turns */
export function plannedPing({ baseUrl, project, busy, flipping }: SoakTarget, n: number): PlannedPing {
  const index = n % busy.length
  const round = Math.floor(n / busy.length)
  const check = busy[index] as Check
  const action = ACTIONS[(index + round) % ACTIONS.length] as Action
  const target = (index + round) % 2 === 0 ? check.uuid : `${project.ping_key}/${check.slug}`
  const bytes = BODY_BYTES[(7 * index + 3 * round) % BODY_BYTES.length] as number
  const url = `${baseUrl}/ping/${target}${tailOf(action, index < flipping, index, round)}`
  if (bytes === 0) return { url, method: 'GET', body: null }
  return { url, method: n % 11 === 0 ? 'PUT' : 'POST', body: TEXT.slice(0, bytes) }
}

/** @param mayFail when false, pings that would be failures are successes */
function tailOf(action: Action, mayFail: boolean, index: number, round: number): string {
  switch (action) {
    case 'start':
      return `/start?rid=${runId(index, round)}`
    case 'end':
      return `?rid=${runId(index, round)}`
    case 'bare start':
      return '/start'
    case 'zero':
      return '/0'
    case 'log':
      return '/log'
    case 'fail':
      return mayFail ? '/fail' : ''
    case 'status':
      return mayFail ? '/3' : '/0'
    case 'success':
      return ''
  }
}

/** Returns the run id. A start and the end of its run, one or two rounds later, have the same id. */
function runId(index: number, round: number): string {
  const run = Math.floor((index + round) / 10)
  return `5eed0000-0000-4000-8000-${(index * 1_000_000 + run).toString(16).padStart(12, '0')}`
}
