/** The program on a database whose API and pages are read. */
import { signInAdministrator } from './administrator.ts'
import { whole } from './figures.ts'
import type { PreparedPostgres } from './prepare-postgres.ts'
import type { Load, Turn } from './rounds.ts'
import { type App, startAppOn } from './servers.ts'

/** Usual number of connections that read. */
export const READERS = 4

export interface Site {
  readonly app: App
  readonly target: Turn['target']
  readonly apiKey: string
  readonly cookie: string
}

/** @param name in the progress @param url as in DATABASE_URL @param settings in addition to the usual ones */
export async function openSite(
  name: string,
  url: string,
  { paths, apiKey }: Pick<PreparedPostgres, 'paths' | 'apiKey'>,
  settings: Readonly<Record<string, string>> = {},
): Promise<Site> {
  const cookie = await signInAdministrator(url)
  const app = await startAppOn(url, settings)
  return { app, target: { name, port: app.port, pid: app.pid, paths }, apiKey, cookie }
}

interface Read {
  readonly what: string
  readonly path: string
  readonly load: (site: Site, connections: number) => Load
}

/** Returns the list over the API and the page of the checks. @param checks number of checks in the database */
export function readsOf(checks: number): readonly Read[] {
  return [
    {
      what: `list of ${whole(checks)} checks, ${READERS} connections`,
      path: '/api/v3/checks/?tag=production',
      load: ({ apiKey }, connections) => readLoad(connections, { 'X-Api-Key': apiKey }, ']}'),
    },
    {
      what: `page of ${whole(checks)} checks, ${READERS} connections`,
      path: '/p/bench/checks',
      load: ({ cookie }, connections) => readLoad(connections, { Cookie: cookie }, '</html>\n'),
    },
  ]
}

function readLoad(connections: number, headers: Load['headers'], end: string): Load {
  return { connections, bodyBytes: 0, headers, answer: { bytes: null, end } }
}
