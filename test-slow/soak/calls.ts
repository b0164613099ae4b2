/** What else a server has to do beside pings: reads and writes of the API, badges, metrics, probes. */
import type { Check, Scene } from './scene.ts'

/** @param n from 0 on; every kind of call has its turn. @throws when an answer is not as it should be */
export async function call(scene: Scene, n: number): Promise<void> {
  const kind = CALLS[n % CALLS.length] as Call
  await kind(scene, Math.floor(n / CALLS.length))
}

/** Late checks come back, and fall silent again. @throws when a ping is not answered with OK */
export async function pingRare({ baseUrl, rare }: Scene): Promise<void> {
  for (const { uuid } of rare) {
    const text = await (await fetch(`${baseUrl}/ping/${uuid}`)).text()
    if (text !== 'OK') throw new Error(`a rare ping was answered with ${text}`)
  }
}

type Call = (scene: Scene, round: number) => Promise<unknown>

const CALLS: readonly Call[] = [
  (scene, round) => json(scene, `api/v${1 + (round % 3)}/checks/`),
  (scene, round) => json(scene, `api/v3/checks/?slug=${nth(scene.busy, round).slug}`),
  (scene, round) => json(scene, `api/v2/checks/${nth(scene.busy, round).uuid}`),
  readLog,
  (scene, round) => json(scene, `api/v3/checks/${nth(scene.busy, round % scene.flipping).uuid}/flips/`),
  (scene, round) =>
    json(scene, `api/v3/checks/${scene.edited.uuid}`, { desc: `changed ${round} times`, tags: `soak t${round % 5}` }),
  pauseAndResume,
  createAndDelete,
  (scene, round) => json(scene, 'api/v3/checks/', { name: 'edited', unique: ['name'], grace: 60 + (round % 9) }),
  readBadges,
  readMetrics,
  (scene) => json(scene, 'api/v3/channels/'),
  async ({ baseUrl }) => {
    for (const path of ['api/v3/status/', 'healthz', 'readyz']) await ask(`${baseUrl}/${path}`)
  },
]

async function readLog(scene: Scene, round: number): Promise<void> {
  const { pings } = await json<{ pings: { body_url: string | null }[] }>(
    scene,
    `api/v3/checks/${nth(scene.busy, round).uuid}/pings/`,
  )
  // The newest: an older one may be cut meanwhile.
  const url = pings.find(({ body_url }) => body_url !== null)?.body_url
  if (url) await ask(url, { headers: { 'X-Api-Key': scene.project.api_key } })
}

async function pauseAndResume(scene: Scene): Promise<void> {
  for (const verb of ['pause', 'resume']) await json(scene, `api/v3/checks/${scene.edited.uuid}/${verb}`, {})
}

async function createAndDelete(scene: Scene, round: number): Promise<void> {
  const { baseUrl, project } = scene
  const { uuid } = await json<Check>(scene, 'api/v3/checks/', { name: `short-lived ${round}` })
  if ((await (await ask(`${baseUrl}/ping/${uuid}`)).text()) !== 'OK') throw new Error('a new check cannot be pinged')
  await ask(`${baseUrl}/api/v3/checks/${uuid}`, { method: 'DELETE', headers: { 'X-Api-Key': project.api_key } })
}

async function readBadges(scene: Scene): Promise<void> {
  const { badges } = await json<{ badges: Record<string, Record<string, string>> }>(scene, 'api/v3/badges/')
  for (const url of Object.values(badges['*'] ?? {})) await ask(url)
}

async function readMetrics({ baseUrl, project }: Scene): Promise<void> {
  await ask(`${baseUrl}/metrics`)
  const headers = { Authorization: `Bearer ${project.api_key_readonly}` }
  await ask(`${baseUrl}/projects/${project.id}/metrics/`, { headers })
}

async function json<Answer>({ baseUrl, project }: Scene, path: string, wish?: object): Promise<Answer> {
  const answer = await ask(`${baseUrl}/${path}`, {
    method: wish === undefined ? 'GET' : 'POST',
    headers: { 'X-Api-Key': project.api_key },
    ...(wish === undefined ? {} : { body: JSON.stringify(wish) }),
  })
  return (await answer.json()) as Answer
}

/** @returns an answer whose body is still to be read, or that is here already. @throws unless it is a 2xx */
async function ask(url: string, request: RequestInit = {}): Promise<Response> {
  const answer = await fetch(url, request)
  // All of it, so that the connection is free again.
  const bytes = await answer.bytes()
  if (!answer.ok) throw new Error(`${answer.status} from ${new URL(url).pathname}: ${bytes.toString().slice(0, 200)}`)
  return new Response(bytes, { status: answer.status === 204 ? 200 : answer.status })
}

function nth<Item>(items: readonly Item[], n: number): Item {
  return items[n % items.length] as Item
}
