/** The requests of a soak other than pings: reads and writes of the API, badges, metrics, probes. */
import type { Check, SoakTarget } from './target.ts'

/** @param n counts from 0; the kinds of request take turns. @throws when an answer is not a 2xx */
export async function call(target: SoakTarget, n: number): Promise<void> {
  const kind = CALLS[n % CALLS.length] as Call
  await kind(target, Math.floor(n / CALLS.length))
}

/** Pings the checks that are usually down, so that they go up and later down again. @throws when an answer is not OK */
export async function pingRare({ baseUrl, rare }: SoakTarget): Promise<void> {
  for (const { uuid } of rare) {
    const text = await (await fetch(`${baseUrl}/ping/${uuid}`)).text()
    if (text !== 'OK') throw new Error(`a rare ping was answered with ${text}`)
  }
}

type Call = (target: SoakTarget, round: number) => Promise<unknown>

const CALLS: readonly Call[] = [
  (target, round) => json(target, `api/v${1 + (round % 3)}/checks/`),
  (target, round) => json(target, `api/v3/checks/?slug=${nth(target.busy, round).slug}`),
  (target, round) => json(target, `api/v2/checks/${nth(target.busy, round).uuid}`),
  readLog,
  (target, round) => json(target, `api/v3/checks/${nth(target.busy, round % target.flipping).uuid}/flips/`),
  (target, round) =>
    json(target, `api/v3/checks/${target.edited.uuid}`, { desc: `changed ${round} times`, tags: `soak t${round % 5}` }),
  pauseAndResume,
  createAndDelete,
  (target, round) => json(target, 'api/v3/checks/', { name: 'edited', unique: ['name'], grace: 60 + (round % 9) }),
  readBadges,
  readMetrics,
  (target) => json(target, 'api/v3/channels/'),
  async ({ baseUrl }) => {
    for (const path of ['api/v3/status/', 'healthz', 'readyz']) await ask(`${baseUrl}/${path}`)
  },
]

async function readLog(target: SoakTarget, round: number): Promise<void> {
  const { pings } = await json<{ pings: { body_url: string | null }[] }>(
    target,
    `api/v3/checks/${nth(target.busy, round).uuid}/pings/`,
  )
  // The newest body: retention may remove an older one in the meantime.
  const url = pings.find(({ body_url }) => body_url !== null)?.body_url
  if (url) await ask(url, { headers: { 'X-Api-Key': target.project.api_key } })
}

async function pauseAndResume(target: SoakTarget): Promise<void> {
  for (const verb of ['pause', 'resume']) await json(target, `api/v3/checks/${target.edited.uuid}/${verb}`, {})
}

async function createAndDelete(target: SoakTarget, round: number): Promise<void> {
  const { baseUrl, project } = target
  const { uuid } = await json<Check>(target, 'api/v3/checks/', { name: `short-lived ${round}` })
  if ((await (await ask(`${baseUrl}/ping/${uuid}`)).text()) !== 'OK') throw new Error('a new check cannot be pinged')
  await ask(`${baseUrl}/api/v3/checks/${uuid}`, { method: 'DELETE', headers: { 'X-Api-Key': project.api_key } })
}

async function readBadges(target: SoakTarget): Promise<void> {
  const { badges } = await json<{ badges: Record<string, Record<string, string>> }>(target, 'api/v3/badges/')
  for (const url of Object.values(badges['*'] ?? {})) await ask(url)
}

async function readMetrics({ baseUrl, project }: SoakTarget): Promise<void> {
  await ask(`${baseUrl}/metrics`)
  const headers = { Authorization: `Bearer ${project.api_key_readonly}` }
  await ask(`${baseUrl}/projects/${project.id}/metrics/`, { headers })
}

async function json<Answer>({ baseUrl, project }: SoakTarget, path: string, body?: object): Promise<Answer> {
  const answer = await ask(`${baseUrl}/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'X-Api-Key': project.api_key },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as Answer
}

/** @returns the answer, whose body has been read to its end. @throws unless it is a 2xx */
async function ask(url: string, request: RequestInit = {}): Promise<Response> {
  const answer = await fetch(url, request)
  // Reads the whole body, so that the connection can be used again.
  const bytes = await answer.bytes()
  if (!answer.ok) throw new Error(`${answer.status} from ${new URL(url).pathname}: ${bytes.toString().slice(0, 200)}`)
  return new Response(bytes, { status: answer.status === 204 ? 200 : answer.status })
}

function nth<Item>(items: readonly Item[], n: number): Item {
  return items[n % items.length] as Item
}
