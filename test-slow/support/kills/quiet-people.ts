/** People who give channels quiet hours, change them and remove them, in the forms of the channels, and record what was answered. */
import type { SeededRandom } from '../../../test/support/seeded-random.ts'
import { type QuietEdit, UNDER_WAY_MS } from './quiet-hours.ts'

/** Length of quiet hours, the shortest that is possible. */
const SECONDS = 60
/** Length of quiet hours that hold until they are removed: longer than anybody waits for what is pending. */
const LONG_SECONDS = 600
/** Most whole seconds until quiet hours end, so that some end while the load runs, and some while no server does. */
const MOST_SECONDS_LEFT = 6
/** Most whole seconds from their end until they begin again. */
const MOST_SECONDS_BETWEEN = 2
/** Longest time until somebody edits the quiet hours of a channel again. Some of them end and begin before that. */
const LONGEST_PAUSE_MS = 6_000
/** One of so many edits removes quiet hours. */
const EDITS_PER_REMOVAL = 3
const RETRY_EVERY_MS = 50
const SURE_WITHIN_MS = 30_000

/** A channel whose quiet hours are edited. */
export interface QuietChannel {
  readonly id: string
  /** the fields of its form that keep its settings */
  readonly fields: Readonly<Record<string, string>>
}

/** Returns the fields of a webhook that sends alerts of both directions to one URL. An empty secret keeps the stored one. */
export function webhookFields(url: string): QuietChannel['fields'] {
  const both = ['down', 'up'].map((way) => ({ [`set-send_${way}`]: 'on', [`set-method_${way}`]: 'POST' }))
  return Object.assign({ 'set-url': url }, ...both)
}

export function roomFields(room: string): QuietChannel['fields'] {
  return { 'set-value': room }
}

export interface QuietPeople {
  /** the edits of each channel in their order */
  readonly edits: readonly QuietEdit[]
  /** Edits quiet hours until `isOver`. */
  run(random: SeededRandom, isOver: () => boolean): Promise<void>
  /** Gives all channels quiet hours that end within seconds. */
  letEnd(): Promise<void>
  /** Gives all channels quiet hours, does some work when nothing is under way any more, and removes the quiet hours. */
  during(work: () => Promise<unknown>): Promise<void>
}

type Windows = QuietEdit['windows']

/**
 * @param project slug of the project of the channels
 * @param cookie of somebody who may edit them
 * @param to returns the base URL for the next request
 */
export function createQuietPeople(
  channels: readonly QuietChannel[],
  { project, cookie, to }: { readonly project: string; readonly cookie: string; readonly to: () => string },
): QuietPeople {
  const edits: QuietEdit[] = []
  /** time by `performance.now()` of the next edit of each channel */
  const nextAt = new Map<string, number>()

  /** @returns whether it was acknowledged; its effect is unknown if not */
  const edit = async ({ id, fields }: QuietChannel, windows: Windows): Promise<boolean> => {
    const index = edits.push({ channelId: id, sentAt: microseconds(), answeredAt: null, windows }) - 1
    const base = to()
    const schedule = windows.map(([at]) => new Date(at / 1_000).toISOString().slice(0, 19).replace('T', ' '))
    const [[begin, end] = [0, 0]] = windows
    const status = await fetch(`${base}/p/${project}/integrations/${id}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: new URL(base).origin, cookie },
      body: new URLSearchParams({
        ...fields,
        'quiet-from': schedule.join('\n'),
        'quiet-until': windows.length === 0 ? '' : `${(end - begin) / 1_000_000} s`,
        'quiet-tz': 'UTC',
      }),
    })
      .then(async (response) => {
        await response.text()
        return response.status
      })
      // The connection breaks when the server is killed.
      .catch(() => null)
    if (status === null || status === 503) return false
    if (status !== 303) throw new Error(`an edit of quiet hours was answered with ${status}`)
    edits[index] = { channelId: id, sentAt: edits[index]?.sentAt ?? 0, answeredAt: microseconds(), windows }
    return true
  }

  const sure = async (channel: QuietChannel, windows: () => Windows) => {
    for (const until = performance.now() + SURE_WITHIN_MS; performance.now() < until; await Bun.sleep(RETRY_EVERY_MS)) {
      if (await edit(channel, windows())) return
    }
    throw new Error('the quiet hours could not be edited')
  }

  return {
    edits,
    async run(random, isOver) {
      const editor = async (channel: QuietChannel) => {
        for (; !isOver(); await Bun.sleep(RETRY_EVERY_MS)) {
          if (performance.now() < (nextAt.get(channel.id) ?? 0)) continue
          nextAt.set(channel.id, performance.now() + random.integer(LONGEST_PAUSE_MS))
          // The first edit of a channel is no removal: on a slow machine there are too few edits to rely on chance.
          const isFirst = !edits.some(({ channelId }) => channelId === channel.id)
          const isRemoval = !isFirst && random.integer(EDITS_PER_REMOVAL - 1) === 0
          await edit(channel, isRemoval ? [] : endingAndBeginning(random))
        }
      }
      await Promise.all(channels.map(editor))
    },
    async letEnd() {
      for (const channel of channels) await sure(channel, () => [endingIn(2)])
    },
    async during(work) {
      for (const channel of channels) await sure(channel, () => [endingIn(LONG_SECONDS, LONG_SECONDS)])
      await Bun.sleep(UNDER_WAY_MS)
      await work()
      for (const channel of channels) await sure(channel, () => [])
    },
  }
}

/** Returns quiet hours that are about to end, and some that begin soon after that: both edges are within a run of a few seconds. */
function endingAndBeginning(random: SeededRandom): Windows {
  const ending = endingIn(1 + random.integer(MOST_SECONDS_LEFT - 1))
  const begin = ending[1] + (1 + random.integer(MOST_SECONDS_BETWEEN - 1)) * 1_000_000
  return [ending, [begin, begin + SECONDS * 1_000_000]]
}

/** Returns quiet hours that end on a whole second. @param seconds until then, or up to a second less @param length in seconds */
function endingIn(seconds: number, length = SECONDS): Windows[number] {
  const end = (Math.floor(Date.now() / 1_000) + seconds) * 1_000_000
  return [end - length * 1_000_000, end]
}

function microseconds(): number {
  return Date.now() * 1_000
}
