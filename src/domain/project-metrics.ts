/**
 * A project's metrics: those of Healthchecks, byte for byte (behaviour of the peer, 1.15), and after them ours for the
 * same checks.
 */
import type { Check } from './check.ts'
import { escapeLabel, type Family, formatHead, formatSamples, type Labels } from './exposition.ts'
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

/** A metric of Healthchecks' with a sample for each check, 1 or 0. */
interface PeerMetric {
  readonly name: string
  readonly state: string
  readonly isSo: (watched: Watched) => boolean
}

const PEER_METRICS: readonly PeerMetric[] = [
  // New and paused checks count as up.
  { name: 'hc_check_up', state: 'up', isSo: (watched) => !isDown(watched) },
  { name: 'hc_check_started', state: 'started', isSo: ({ check }) => isStarted(check) },
  { name: 'hc_check_grace', state: 'in the grace period', isSo: ({ status }) => status === 'grace' },
  { name: 'hc_check_paused', state: 'paused', isSo: ({ status }) => status === 'paused' },
]

/**
 * Checks are added as they are read, the text is written at the end: the samples of a metric stand together, so the last
 * check comes before the first line of the second metric. What is kept is the text itself, a piece for each page.
 */
export class ProjectMetrics {
  readonly #peerSamples: readonly string[][] = PEER_METRICS.map(() => [])
  readonly #ownSamples: readonly string[][] = ownFamilies([]).map(() => [])
  readonly #isTagUp = new Map<string, boolean>()
  #total = 0
  #down = 0

  /** @param checks in the order in which they shall appear */
  add(checks: readonly CheckWithRuns[], now: Instant): void {
    const watched = checks.map((entry): Watched => {
      const { check } = entry
      const labels = { name: check.name, tags: check.tags, unique_key: uniqueKey(check.id) }
      return { ...entry, status: statusAt(check, now), labels }
    })
    const labelled = watched.map((entry) => ({ entry, labels: peerLabels(entry.labels) }))
    for (const [index, { name, isSo }] of PEER_METRICS.entries()) {
      const lines = labelled.map(({ entry, labels }) => `${name}{${labels}} ${Number(isSo(entry))}\n`)
      this.#peerSamples[index]?.push(lines.join(''))
    }
    for (const [index, family] of ownFamilies(watched).entries()) this.#ownSamples[index]?.push(formatSamples(family))
    for (const entry of watched) this.#count(entry)
  }

  #count(watched: Watched): void {
    this.#total += 1
    this.#down += Number(isDown(watched))
    for (const tag of splitTags(watched.check.tags)) {
      this.#isTagUp.set(tag, (this.#isTagUp.get(tag) ?? true) && !isDown(watched))
    }
  }

  /** The text in pieces; blocks of Healthchecks' are parted by an empty line, its labels by a comma and a blank. */
  *text(): Generator<string> {
    for (const [index, { name, state }] of PEER_METRICS.entries()) {
      yield peerHead(name, `Whether the check is currently ${state} (1 for yes, 0 for no).`)
      yield* this.#peerSamples[index] ?? []
      yield '\n'
    }
    yield peerHead('hc_tag_up', 'Whether all checks with this tag are up (1 for yes, 0 for no).')
    yield `${this.#tagLines()}\n`
    yield `${peerHead('hc_checks_total', 'The total number of checks.')}hc_checks_total ${this.#total}\n\n`
    const downHead = peerHead('hc_checks_down_total', 'The number of checks currently down.')
    yield `${downHead}hc_checks_down_total ${this.#down}\n\n`
    for (const [index, family] of ownFamilies([]).entries()) {
      yield formatHead(family)
      yield* this.#ownSamples[index] ?? []
    }
  }

  #tagLines(): string {
    return [...this.#isTagUp]
      .toSorted(([a], [b]) => compareCodePoints(a, b))
      .map(([tag, isUp]) => `hc_tag_up{tag="${escapeLabel(tag)}"} ${Number(isUp)}\n`)
      .join('')
  }
}

function isDown({ status }: Watched): boolean {
  return status === 'down'
}

function peerHead(name: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n`
}

function peerLabels(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(', ')
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
