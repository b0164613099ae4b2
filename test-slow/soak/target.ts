/** The target of a soak: a project with a webhook channel and a few hundred checks with every kind of schedule. */
import { overdue } from '../../test/support/served.ts'
import { createWebhook } from '../support/channels.ts'

export interface Check {
  readonly uuid: string
  readonly slug: string
}

interface Keys {
  readonly id: string
  readonly api_key: string
  readonly api_key_readonly: string
  readonly ping_key: string
}

export interface SoakTarget {
  readonly baseUrl: string
  readonly project: Keys
  /** pinged in turn, equally often */
  readonly busy: readonly Check[]
  /** number of `busy` checks, counted from the first, that also fail; only these have the channel */
  readonly flipping: number
  /** down after two minutes and rarely pinged; they have the channel */
  readonly rare: readonly Check[]
  /** paused, resumed and changed, never pinged */
  readonly edited: Check
}

/** Number of busy checks of which one flips. */
const FLIPPING_EVERY = 30
const RARE_CHECKS = 10
const DAY = 86_400
/** Timing with which only failures flip busy checks. */
const DAILY = { timeout: DAY, grace: DAY }
const KINDS: readonly object[] = [
  DAILY,
  DAILY,
  { schedule: '*/7 * * * *', tz: 'Europe/Riga', grace: DAY },
  { schedule: 'Mon..Fri *-*-* 08:30', tz: 'America/New_York', grace: 7 * DAY },
  { ...DAILY, filter_http_body: true, failure_kw: 'never said' },
]

/**
 * @param checks number of checks, including the rare ones
 * @param receiverUrl receiver of the channel's messages
 */
export async function createSoakTarget(
  databaseUrl: string,
  baseUrl: string,
  checks: number,
  receiverUrl: string,
): Promise<SoakTarget> {
  const project = await overdue<Keys>(databaseUrl, 'project', 'create', 'Soak')
  await createWebhook(databaseUrl, project.id, receiverUrl)
  const create = async (name: string, fields: object): Promise<Check> => {
    const answer = await fetch(`${baseUrl}/api/v3/checks/`, {
      method: 'POST',
      headers: { 'X-Api-Key': project.api_key },
      body: JSON.stringify({ name, slug: name, tags: 'soak', ...fields }),
    })
    if (answer.status !== 201) throw new Error(`the check was not created: ${answer.status} ${await answer.text()}`)
    return { uuid: ((await answer.json()) as { uuid: string }).uuid, slug: name }
  }
  const busyCount = checks - RARE_CHECKS
  const flipping = Math.ceil(busyCount / FLIPPING_EVERY)
  const busy: Check[] = []
  for (let index = 0; index < busyCount; index += 1) {
    const kind = index < flipping ? { ...DAILY, channels: '*' } : KINDS[index % KINDS.length]
    busy.push(await create(`busy-${index}`, { desc: 'x'.repeat(index), ...kind }))
  }
  const rare: Check[] = []
  for (let index = 0; index < RARE_CHECKS; index += 1) {
    rare.push(await create(`rare-${index}`, { timeout: 60, grace: 60, channels: '*' }))
  }
  return { baseUrl, project, busy, flipping, rare, edited: await create('edited', DAILY) }
}
