/** People who silence checks, take incidents, release them and write notes, by our own API, and record acknowledged acts. */
import type { SeededRandom } from '../../../test/support/seeded-random.ts'
import type { AskedHolds, SentNote } from './incidents.ts'
import type { CheckFound } from './snapshot.ts'

const PEOPLE = 3
const LONGEST_PAUSE_MS = 40
/** Checks of a project with one of these tags are silenced together. */
export const TAGS = ['odd', 'even'] as const
/** Longest short duration. Some of these end by themselves while the load runs, some while no server does. */
const SHORT_MS = 1_500
const SHORTEST_MS = 100
/** Long duration, longer than any run: a person has to end it. */
const LONG_MS = 86_400_000
/** Limit of long silences. More at the same time would hold everything. */
const MOST_LONG_SILENCES = 4

/** Length of the windows of planned maintenance, the shortest that is possible. */
const WINDOW_SECONDS = 60
const LONGEST_PAUSE_SECONDS = 2

const ACTS = [
  ...(['silence', 'silence', 'silence for long', 'silence until healthy', 'silence a tag'] as const),
  ...(['plan windows', 'end', 'end'] as const),
] as const
const ACTS_ON_INCIDENTS = ['take', 'take', 'take', 'take for a time', 'hand back', 'hand back', 'note'] as const
type Act = (typeof ACTS)[number] | (typeof ACTS_ON_INCIDENTS)[number]

export interface People extends Pick<AskedHolds, 'silencedAt'> {
  readonly notes: readonly SentNote[]
  /** acknowledged acts, by kind */
  readonly done: ReadonlyMap<string, number>
  /** Acts on checks and their incidents until `isOver`. */
  run(random: SeededRandom, checks: readonly Pick<CheckFound, 'id'>[], isOver: () => boolean): Promise<void>
  /** Ends every silence of the project, including those of ping URLs, and releases every incident. */
  letGo(): Promise<void>
}

interface OpenIncident {
  readonly id: string
  readonly acknowledged: object | null
}

interface Answer {
  readonly status: number
  readonly body: {
    readonly id: string
    readonly silences: { readonly id: string }[]
    readonly incidents: OpenIncident[]
    readonly error?: string
  }
}

/**
 * @param keys of one project; people with different keys take incidents from each other
 * @param to returns the base URL for the next request
 */
export function createPeople(keys: readonly string[], to: () => string): People {
  const silencedAt = new Map<string, number>()
  const notes: SentNote[] = []
  const done = new Map<string, number>()
  const long: string[] = []

  const ask = (key: string, method: string, path: string, body?: object): Promise<Answer | null> =>
    fetch(`${to()}/api/overdue/v1/${path}`, {
      method,
      headers: { 'X-Api-Key': key },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
      .then(async (response) => ({ status: response.status, body: (await response.json()) as Answer['body'] }))
      // The connection breaks when the server is killed.
      .catch(() => null)

  /** @returns null when its effect is unknown, or it came too late */
  const perform = async (act: Act, ...request: Parameters<typeof ask>): Promise<Answer | null> => {
    const answer = await ask(...request)
    if (answer === null || isRefusal(answer)) return null
    if (answer.status >= 300) throw new Error(`to ${act} was answered with ${JSON.stringify(answer)}`)
    done.set(act, (done.get(act) ?? 0) + 1)
    return answer
  }

  const silence = async (key: string, act: Act, body: object, isLong: boolean) => {
    const answer = await perform(act, key, 'POST', 'silences', body)
    if (answer === null) return
    silencedAt.set(answer.body.id, (Date.now() + 1) * 1_000)
    if (isLong) long.push(answer.body.id)
  }

  const onIncident = async (key: string, act: Act, random: SeededRandom) => {
    const open = (await ask(key, 'GET', 'incidents?open=true'))?.body.incidents ?? []
    const taken = open.filter(({ acknowledged }) => acknowledged !== null)
    const candidates = act === 'hand back' ? taken : open
    if (candidates.length === 0) return
    const { id } = random.pick(candidates)
    switch (act) {
      case 'hand back':
        return void (await perform(act, key, 'POST', `incidents/${id}/release`))
      case 'note': {
        const text = `note ${crypto.randomUUID()}`
        const index = notes.push({ text, isAcknowledged: false }) - 1
        const answer = await perform(act, key, 'POST', `incidents/${id}/notes`, { text })
        notes[index] = { text, isAcknowledged: answer !== null }
        return
      }
      default: {
        const until = act === 'take' ? {} : { until: inMilliseconds(shortMs(random)) }
        const body = { takes_over: random.integer(1) === 0, ...until }
        return void (await perform(act, key, 'POST', `incidents/${id}/acknowledge`, body))
      }
    }
  }

  /** Prefers acts that nobody has done yet: on a slow machine there are too few acts to rely on chance. */
  const choose = <Chosen extends Act>(random: SeededRandom, acts: readonly Chosen[]): Chosen => {
    const undone = acts.filter((one) => !done.has(one))
    return random.pick(undone.length > 0 ? undone : acts)
  }

  const act = async (key: string, random: SeededRandom, checks: readonly Pick<CheckFound, 'id'>[]) => {
    if (random.integer(1) === 0) return onIncident(key, choose(random, ACTS_ON_INCIDENTS), random)
    const chosen = choose(random, ACTS)
    const match = { checks: [random.pick(checks).id] }
    const short = { ends_at: inMilliseconds(shortMs(random)) }
    if (chosen === 'silence') return silence(key, chosen, { match, ...short }, false)
    if (chosen === 'silence a tag')
      return silence(key, chosen, { match: { tags: [random.pick(TAGS)] }, ...short }, false)
    if (chosen !== 'end' && long.length < MOST_LONG_SILENCES) {
      if (chosen === 'plan windows') return silence(key, chosen, { match, ...twoWindows(random) }, true)
      const body = { match, ends_at: inMilliseconds(LONG_MS), until_healthy: chosen === 'silence until healthy' }
      return silence(key, chosen, body, true)
    }
    const id = long.shift()
    if (id !== undefined) await perform('end', key, 'DELETE', `silences/${id}`)
  }

  return {
    silencedAt,
    notes,
    done,
    async run(random, checks, isOver) {
      const person = async (index: number) => {
        while (!isOver()) {
          await act(keys[index % keys.length] ?? '', random, checks)
          await Bun.sleep(random.integer(LONGEST_PAUSE_MS))
        }
      }
      await Promise.all(Array.from({ length: PEOPLE }, (_, index) => person(index)))
    },
    async letGo() {
      const [key = ''] = keys
      const sure = async (...request: readonly [method: string, path: string]): Promise<Answer['body']> => {
        const answer = await ask(key, ...request)
        // Its time may be over by then.
        if (answer?.status === 200 || (answer?.status === 409 && request[0] === 'POST')) return answer.body
        throw new Error(`${request.join(' ')} was answered with ${JSON.stringify(answer)}`)
      }
      for (const { id } of (await sure('GET', 'silences')).silences) await sure('DELETE', `silences/${id}`)
      const { incidents } = await sure('GET', 'incidents?open=true')
      const taken = incidents.filter(({ acknowledged }) => acknowledged !== null)
      for (const { id } of taken) await sure('POST', `incidents/${id}/release`)
    },
  }
}

function shortMs(random: SeededRandom): number {
  return SHORTEST_MS + random.integer(SHORT_MS - SHORTEST_MS)
}

/** Returns the schedule of a window that is ending, and of one that begins soon after that: both edges are within a run of a few seconds. */
function twoWindows(random: SeededRandom): object {
  const ends = Math.floor(Date.now() / 1_000) + 1 + random.integer(1)
  const begins = [ends - WINDOW_SECONDS, ends + 1 + random.integer(LONGEST_PAUSE_SECONDS - 1)]
  const lines = begins.map((begin) => new Date(begin * 1_000).toISOString().slice(0, 19).replace('T', ' '))
  return { schedule: lines.join('\n'), tz: 'UTC', duration: WINDOW_SECONDS }
}

function inMilliseconds(ms: number): string {
  return new Date(Date.now() + ms).toISOString()
}

/** Whether the answer is a refusal: somebody was quicker, the requested time has passed, or an instance cannot use the database. */
function isRefusal({ status, body: { error } }: Answer): boolean {
  return status === 409 || status === 503 || (status === 400 && error?.endsWith('is in the past') === true)
}
