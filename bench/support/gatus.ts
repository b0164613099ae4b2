/** Gatus as a peer: external endpoints, to which results are pushed, in its SQLite storage. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'
import { NotInstalled, type Peer } from './peers.ts'
import { startOther, stopServer } from './servers.ts'

const TOKEN = 'bench'
const GROUP = 'hosts'

/**
 * @param place its executable, a path or a name to be found on PATH
 * @param directory for its data, empty
 * @throws NotInstalled
 */
export async function prepareGatus(place: string, directory: string, checks: number): Promise<Peer> {
  const executable = Bun.which(place)
  if (executable === null) throw new NotInstalled(`there is no executable file ${place}`)
  const names = Array.from({ length: checks }, (_, n) => `backup-${n}`)
  return {
    name: ['Gatus', ...(await versionOf(executable))].join(' '),
    paths: names.map((name) => `/api/v1/endpoints/${GROUP}_${name}/external?success=true`),
    pings: (connections) => ({
      connections,
      method: 'POST',
      bodyBytes: 0,
      headers: { Authorization: `Bearer ${TOKEN}` },
      answer: { bytes: 0, end: '' },
    }),
    async start() {
      const port = freePort()
      const configuration = join(directory, 'config.yaml')
      writeFileSync(configuration, configurationOf(port, join(directory, 'data.db'), names))
      // At the default level it logs each result, and an error for each request without a body.
      const settings = { GATUS_CONFIG_PATH: configuration, GATUS_LOG_LEVEL: 'FATAL' }
      const server = await startOther(
        [executable],
        { settings, directory, log: join(directory, 'log') },
        port,
        '/health',
      )
      return { port, own: server, stop: () => stopServer(server) }
    },
  }
}

/** Returns the configuration as JSON, which YAML includes. Gatus requires at least one endpoint that it polls itself. */
function configurationOf(port: number, file: string, names: readonly string[]): string {
  const url = `http://127.0.0.1:${port}/health`
  return JSON.stringify({
    web: { address: '127.0.0.1', port },
    storage: { type: 'sqlite', path: file },
    endpoints: [{ name: 'itself', url, interval: '24h', conditions: ['[STATUS] == 200'] }],
    'external-endpoints': names.map((name) => ({ name, group: GROUP, token: TOKEN })),
  })
}

/** @returns version of the module that Go wrote into the executable; nothing for one built from a working copy */
async function versionOf(executable: string): Promise<string[]> {
  const text = Buffer.from(await Bun.file(executable).arrayBuffer()).toString('latin1')
  return /\nmod\tgithub\.com\/TwiN\/gatus\/v5\t(v[\d.]+)/.exec(text)?.slice(1) ?? []
}
