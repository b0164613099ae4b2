/** What a soak works on: a project with a webhook channel and some hundreds of checks of every kind of schedule. */
import { overdue } from '../../test/support/served.ts'
import { webhook } from '../../test/support/store-builders.ts'

export interface Check {
  readonly uuid: string
  readonly slug: string
}

export interface Keys {
  readonly id: string
  readonly api_key: string
  readonly api_key_readonly: string
  readonly ping_key: string
}

export interface Scene {
  readonly baseUrl: string
  readonly project: Keys
  /** pinged in turn, all equally often */
  readonly busy: readonly Check[]
  /** how many of `busy`, from the first on, also fail: only these have the channel */
  readonly flipping: number
  /** late after two minutes, and hardly ever pinged; with the channel */
  readonly rare: readonly Check[]
  /** to be paused, resumed and changed; never pinged */
  readonly edited: Check
}

/** Signed messages bear an id. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
/** One busy check in so many flips. */
const FLIPPING_EVERY = 30
const RARE_CHECKS = 10
const DAY = 86_400
/** So that only failures flip busy checks. */
const PATIENT = { timeout: DAY, grace: DAY }
const KINDS: readonly object[] = [
  PATIENT,
  PATIENT,
  { schedule: '*/7 * * * *', tz: 'Europe/Riga', grace: DAY },
  { schedule: 'Mon..Fri *-*-* 08:30', tz: 'America/New_York', grace: 7 * DAY },
  { ...PATIENT, filter_http_body: true, failure_kw: 'never said' },
]

/**
 * @param checks how many, the rare ones included
 * @param receiverUrl where the channel's messages go
 */
export async function prepareScene(
  databaseUrl: string,
  baseUrl: string,
  checks: number,
  receiverUrl: string,
): Promise<Scene> {
  const project = await overdue<Keys>(databaseUrl, 'project', 'create', 'Soak')
  const settings = JSON.stringify({ ...webhook(receiverUrl, receiverUrl), secret: SECRET })
  await overdue(databaseUrl, 'channel', 'create', '--project', project.id, '--kind', 'webhook', '--settings', settings)
  const create = async (name: string, wish: object): Promise<Check> => {
    const answer = await fetch(`${baseUrl}/api/v3/checks/`, {
      method: 'POST',
      headers: { 'X-Api-Key': project.api_key },
      body: JSON.stringify({ name, slug: name, tags: 'soak', ...wish }),
    })
    if (answer.status !== 201) throw new Error(`no check was made: ${answer.status} ${await answer.text()}`)
    return { uuid: ((await answer.json()) as { uuid: string }).uuid, slug: name }
  }
  const busyCount = checks - RARE_CHECKS
  const flipping = Math.ceil(busyCount / FLIPPING_EVERY)
  const busy: Check[] = []
  for (let index = 0; index < busyCount; index += 1) {
    const kind = index < flipping ? { ...PATIENT, channels: '*' } : KINDS[index % KINDS.length]
    busy.push(await create(`busy-${index}`, { desc: 'x'.repeat(index), ...kind }))
  }
  const rare: Check[] = []
  for (let index = 0; index < RARE_CHECKS; index += 1) {
    rare.push(await create(`rare-${index}`, { timeout: 60, grace: 60, channels: '*' }))
  }
  return { baseUrl, project, busy, flipping, rare, edited: await create('edited', PATIENT) }
}
