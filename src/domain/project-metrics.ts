/**
 * A project's metrics: those of Healthchecks, byte for byte (behaviour of the peer, 1.15), and after them ours for the
 * same checks.
 */
import type { Check } from './check.ts'
import { escapeLabel, type Family, formatFamilies, type Labels } from './exposition.ts'
import { type RunBucket, runHistogram } from './run-durations.ts'
import { isStarted, type Status, statusAt } from './status.ts'
import { splitTags } from './tags.ts'
import { type Instant, toMicroseconds } from './time.ts'
import { uniqueKey } from './unique-key.ts'

/** A check and how long its runs took. */
export interface CheckWithRuns {
  readonly check: Check
  readonly runs: readonly RunBucket[]
}

interface Watched extends CheckWithRuns {
  readonly status: Status
  readonly labels: Labels
}

/** @param checks in the order in which they shall appear */
export function formatProjectMetrics(checks: readonly CheckWithRuns[], now: Instant): string {
  const watched = checks.map((entry): Watched => {
    const { check } = entry
    const labels = { name: check.name, tags: check.tags, unique_key: uniqueKey(check.id) }
    return { ...entry, status: statusAt(check, now), labels }
  })
  return `${peerBlocks(watched).join('\n')}\n${formatFamilies(ownFamilies(watched))}`
}

const CURRENTLY = (state: string) => `Whether the check is currently ${state} (1 for yes, 0 for no).`

/** Blocks that an empty line parts, labels that a comma and a blank part: dashboards and tests know these bytes. */
function peerBlocks(watched: readonly Watched[]): string[] {
  const named = watched.map((entry) => ({ ...entry, prefix: peerLabels(entry.labels) }))
  const ofChecks = (name: string, state: string, isSo: (entry: Watched) => boolean) =>
    peerBlock(
      name,
      CURRENTLY(state),
      named.map((entry) => `${name}{${entry.prefix}} ${Number(isSo(entry))}`),
    )
  const downCount = watched.filter(isDown).length
  return [
    // New and paused checks count as up.
    ofChecks('hc_check_up', 'up', (entry) => !isDown(entry)),
    ofChecks('hc_check_started', 'started', ({ check }) => isStarted(check)),
    ofChecks('hc_check_grace', 'in the grace period', ({ status }) => status === 'grace'),
    ofChecks('hc_check_paused', 'paused', ({ status }) => status === 'paused'),
    peerBlock('hc_tag_up', 'Whether all checks with this tag are up (1 for yes, 0 for no).', tagLines(watched)),
    peerBlock('hc_checks_total', 'The total number of checks.', [`hc_checks_total ${watched.length}`]),
    peerBlock('hc_checks_down_total', 'The number of checks currently down.', [`hc_checks_down_total ${downCount}`]),
  ]
}

function isDown({ status }: Watched): boolean {
  return status === 'down'
}

function peerBlock(name: string, help: string, lines: readonly string[]): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...lines, ''].join('\n')
}

function peerLabels(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(', ')
}

function tagLines(watched: readonly Watched[]): string[] {
  const isUp = new Map<string, boolean>()
  for (const entry of watched) {
    for (const tag of splitTags(entry.check.tags)) isUp.set(tag, (isUp.get(tag) ?? true) && !isDown(entry))
  }
  return [...isUp]
    .toSorted(([a], [b]) => compareCodePoints(a, b))
    .map(([tag, up]) => `hc_tag_up{tag="${escapeLabel(tag)}"} ${Number(up)}`)
}

/** By code point, where `<` goes by UTF-16 unit; UTF-8 sorts alike. */
function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

const MICROSECONDS = 1_000_000

/** A check has a sample only where it has a value. */
function ownFamilies(watched: readonly Watched[]): Family[] {
  const gauge = (read: (check: Check) => number | null) =>
    watched.flatMap(({ check, labels }) => {
      const microseconds = read(check)
      return microseconds === null ? [] : [{ labels, value: microseconds / MICROSECONDS }]
    })
  return [
    {
      name: 'overdue_check_last_success_timestamp_seconds',
      help: 'When the check last had a success.',
      type: 'gauge',
      samples: gauge(({ lastSuccessAt }) => lastSuccessAt && toMicroseconds(lastSuccessAt)),
    },
    {
      name: 'overdue_check_last_duration_seconds',
      help: 'How long the run took that the last success or failure ended.',
      type: 'gauge',
      samples: gauge(({ lastDuration }) => lastDuration),
    },
    {
      name: 'overdue_check_run_duration_seconds',
      help: 'How long the runs of the check took.',
      type: 'histogram',
      samples: watched.flatMap(({ labels, runs }) => {
        const value = runHistogram(runs)
        return value === null ? [] : [{ labels, value }]
      }),
    },
  ]
}
