/** A client of one project on a real server, which records the pings that were acknowledged. */
import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { overdue } from '../../test/support/served.ts'

/** The answer to clients while the database cannot be used. */
export const TRY_AGAIN = 'the database cannot be used at the moment, please try again'

export interface Client {
  readonly projectId: string
  readonly apiKey: string
  /** Sends a GET to the API, or a POST when there is a body. */
  api(path: string, body?: object): Promise<Response>
  json<Answer>(path: string, body?: object): Promise<Answer>
  createCheck(fields?: object): Promise<string>
  /** @returns status and text of the answer; a ping answered with OK is added to `acknowledged` */
  ping(check: string, body?: string): Promise<string>
  /** The user agents of acknowledged pings, by check. */
  readonly acknowledged: ReadonlyMap<string, readonly string[]>
}

export async function client(databaseUrl: string, baseUrl: string): Promise<Client> {
  const name = `Project ${crypto.randomUUID()}`
  const project = await overdue<{ id: string; api_key: string }>(databaseUrl, 'project', 'create', name)
  await overdue(databaseUrl, 'project', 'set', project.id, '--ping-log-limit', '1000')
  const acknowledged = new Map<string, string[]>()
  const api = (path: string, body?: object) =>
    fetch(`${baseUrl}/api/v3/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'X-Api-Key': project.api_key },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const json = async <Answer>(path: string, body?: object): Promise<Answer> => {
    const answer = await api(path, body)
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json() as Promise<Answer>
  }
  return {
    projectId: project.id,
    apiKey: project.api_key,
    acknowledged,
    api,
    json,
    createCheck: async (fields = {}) => (await json<{ uuid: string }>('checks/', fields)).uuid,
    async ping(check, body) {
      const agent = crypto.randomUUID()
      const answer = await fetch(`${baseUrl}/ping/${check}`, {
        method: 'POST',
        headers: { 'User-Agent': agent },
        ...(body === undefined ? {} : { body }),
      })
      const text = `${answer.status} ${await answer.text()}`
      if (text === '200 OK') acknowledged.set(check, [...(acknowledged.get(check) ?? []), agent])
      return text
    },
  }
}

/** Checks that the file is intact and that no acknowledged ping is lost. Call it while no server has the file open. */
export function expectIntact(path: string, acknowledged: Client['acknowledged']): void {
  using database = new Database(path)
  expect(database.query('PRAGMA integrity_check').values()).toEqual([['ok']])
  expect(database.query('PRAGMA foreign_key_check').values()).toEqual([])
  const log = database.query<{ ua: string; n: number; body: number }, [string]>(
    'SELECT ua, n, length(body) AS body FROM pings WHERE check_id = ? ORDER BY n',
  )
  const counts = database.query<{ n_pings: number }, [string]>(
    'SELECT n_pings FROM checks JOIN counters USING (counter_id) WHERE id = ?',
  )
  expect(acknowledged.size).toBeGreaterThan(0)
  for (const [check, agents] of acknowledged) {
    const entries = log.all(check)
    const logged = new Set(entries.map(({ ua }) => ua))
    expect(agents.filter((agent) => !logged.has(agent))).toEqual([])
    expect(entries.map(({ n }) => n)).toEqual(entries.map((_, index) => index + 1))
    expect(counts.get(check)?.n_pings).toBe(entries.length)
  }
}
