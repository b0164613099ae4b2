/**
 * A project's metrics. They start with Healthchecks' metrics, in exactly the same format. Overdue's own metrics for the same checks follow.
 */

import { type Instant, toMicroseconds } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import { isStarted, type Status, statusAt } from '../check/status.ts'
import { splitTags } from '../check/tags.ts'
import { uniqueKey } from '../check/unique-key.ts'
import { lastRunDuration } from '../ping/overlap.ts'
import { escapeLabel, type Family, formatHead, formatSamples, type Labels } from './exposition.ts'
import { type RunBucket, runHistogram } from './run-durations.ts'

/** A check with its runs' durations. */
export interface CheckWithRuns {
  readonly check: Check
  readonly runs: readonly RunBucket[]
}

interface Watched extends CheckWithRuns {
  readonly status: Status
  readonly labels: Labels
}

/** A Healthchecks metric whose value is 1 or 0 for each check. */
interface HcMetric {
  readonly name: string
  readonly state: string
  readonly isTrue: (watched: Watched) => boolean
}

const HC_METRICS: readonly HcMetric[] = [
  // New and paused checks count as up.
  { name: 'hc_check_up', state: 'up', isTrue: (watched) => !isDown(watched) },
  { name: 'hc_check_started', state: 'started', isTrue: ({ check }) => isStarted(check) },
  { name: 'hc_check_grace', state: 'in the grace period', isTrue: ({ status }) => status === 'grace' },
  { name: 'hc_check_paused', state: 'paused', isTrue: ({ status }) => status === 'paused' },
]

/**
 * Builds the text while checks are being read. All samples of a metric must be consecutive, so the text is not complete until the last
 * check is read. The text is stored in pieces, one for each page of checks.
 */
export class ProjectMetrics {
  readonly #hcSamples: readonly string[][] = HC_METRICS.map(() => [])
  readonly #ownSamples: readonly string[][] = ownFamilies([]).map(() => [])
  readonly #isTagUp = new Map<string, boolean>()
  #total = 0
  #down = 0

  /** @param checks in the order of the output */
  add(checks: readonly CheckWithRuns[], now: Instant): void {
    const watched = checks.map((entry): Watched => {
      const { check } = entry
      const labels = { name: check.name, tags: check.tags, unique_key: uniqueKey(check.id) }
      return { ...entry, status: statusAt(check, now), labels }
    })
    const labelled = watched.map((entry) => ({ entry, labels: hcLabels(entry.labels) }))
    for (const [index, { name, isTrue }] of HC_METRICS.entries()) {
      const lines = labelled.map(({ entry, labels }) => `${name}{${labels}} ${Number(isTrue(entry))}\n`)
      this.#hcSamples[index]?.push(lines.join(''))
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

  /** Returns the text in pieces. As in Healthchecks, metrics are separated by an empty line, and labels by a comma and a space. */
  *text(): Generator<string> {
    for (const [index, { name, state }] of HC_METRICS.entries()) {
      yield hcHead(name, `Whether the check is currently ${state} (1 for yes, 0 for no).`)
      yield* this.#hcSamples[index] ?? []
      yield '\n'
    }
    yield hcHead('hc_tag_up', 'Whether all checks with this tag are up (1 for yes, 0 for no).')
    yield `${this.#tagLines()}\n`
    yield `${hcHead('hc_checks_total', 'The total number of checks.')}hc_checks_total ${this.#total}\n\n`
    const downHead = hcHead('hc_checks_down_total', 'The number of checks currently down.')
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

function hcHead(name: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n`
}

function hcLabels(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(', ')
}

/** Compares strings by code point, which is also the order of their UTF-8 bytes. `<` would compare UTF-16 code units. */
function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

const MICROSECONDS = 1_000_000

/** Returns Overdue's own metrics. Checks without a value are omitted. */
function ownFamilies(watched: readonly Watched[]): Family[] {
  const gauge = (read: (check: Check) => number | null) =>
    watched.flatMap(({ check, labels }) => {
      const microseconds = read(check)
      return microseconds === null ? [] : [{ labels, value: microseconds / MICROSECONDS }]
    })
  return [
    {
      name: 'overdue_check_last_success_timestamp_seconds',
      help: 'Time of the last success.',
      type: 'gauge',
      samples: gauge(({ lastSuccessAt }) => lastSuccessAt && toMicroseconds(lastSuccessAt)),
    },
    {
      name: 'overdue_check_last_duration_seconds',
      help: 'Duration of the run that the last success or failure ended.',
      type: 'gauge',
      samples: gauge(lastRunDuration),
    },
    {
      name: 'overdue_check_run_duration_seconds',
      help: 'Durations of the runs.',
      type: 'histogram',
      samples: watched.flatMap(({ labels, runs }) => {
        const value = runHistogram(runs)
        return value === null ? [] : [{ labels, value }]
      }),
    },
  ]
}
