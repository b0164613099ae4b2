/** `overdue serve`, and the commands that look after a server. */
import { createApp, openTelemetry } from '../app.ts'
import { UserError } from '../domain/errors.ts'
import { createFirstProject, type FreshKeys } from '../services/projects.ts'
import { type Command, type Context, table } from './command.ts'
import { watchLauncher } from './launcher.ts'

export const serverCommands: readonly Command[] = [
  {
    words: 'serve',
    usage: '',
    summary: 'run the server until SIGTERM or SIGINT',
    makesDatabase: true,
    positionals: 0,
    run: serve,
  },
  {
    words: 'migrate',
    usage: '',
    summary: 'make the database, or bring it up to date, and end',
    makesDatabase: true,
    positionals: 0,
    async run({ openDeps, config, print }) {
      await openDeps()
      print({ database: config.databasePath }, `${config.databasePath} is up to date`)
    },
  },
  {
    words: 'check-config',
    usage: '',
    summary: 'show the settings as they are understood, without secrets',
    positionals: 0,
    async run({ config, print }) {
      const settings = config.shown.map(({ name, value, from }) => [name, { value, from }])
      const rows = config.shown.map(({ name, value, from }) => [name, value ?? '-', from])
      const idle = config.withoutEffect.map((name) => `${name} has no effect in this version`)
      const misspelled = config.misspelled.map(({ name, meant }) => `${name} is not a setting; did you mean ${meant}?`)
      print(
        {
          settings: Object.fromEntries(settings),
          without_effect: config.withoutEffect,
          misspelled: Object.fromEntries(config.misspelled.map(({ name, meant }) => [name, meant])),
        },
        [table([['NAME', 'VALUE', 'FROM'], ...rows]), ...idle, ...misspelled].join('\n'),
      )
    },
  },
  {
    words: 'health',
    usage: '',
    summary: 'ask the server on HOST and PORT whether it can do its work; exit status 0 when it can',
    positionals: 0,
    run: health,
  },
]

async function serve(context: Context): Promise<undefined> {
  const { config, print } = context
  const deps = await context.openDeps()
  const app = createApp(config, deps, await openTelemetry(config, deps.log))
  for (const name of config.withoutEffect) app.deps.log('warning', 'setting has no effect in this version', { name })
  for (const { name, meant } of config.misspelled) {
    app.deps.log('warning', `${name} is not a setting; did you mean ${meant}?`, { name, meant })
  }
  // From here on, so that whoever reads that the server is ready can already end it in order.
  const ended = nextEnd(config.packageScript)
  const port = await app.start()
  // Not before the port is taken: keys are shown once, and a start that fails shows nothing.
  const keys = await createFirstProject(app.deps)
  const { siteRoot } = config.links
  // PORT=0 takes any free port, and only now it is known which.
  const address = config.port === 0 ? siteRoot.replace(/:0$/, `:${port}`) : siteRoot
  const mailPort = app.mailPort()
  const mail = config.mailPings && mailPort && { address: `<uuid>@${config.mailPings.domain}`, port: mailPort }
  const mailWords = mail ? `, mail for ${mail.address} is taken on port ${mail.port}` : ''
  const ready = `Overdue is ready at ${address}, its database is ${config.databasePath}${mailWords}`
  print(
    { address, database: config.databasePath, ...(mail ? { mail } : {}), ...(keys ?? {}) },
    keys ? `${ready}\n${welcome(address, keys)}` : ready,
  )
  app.deps.log('info', 'ready', { address, ...(mail ? { mail: mail.address, mailPort: mail.port } : {}) })
  app.deps.log('info', 'stopping', await ended)
  await app.stop()
  app.deps.log('info', 'stopped')
}

function welcome(address: string, { apiKey, apiKeyReadonly, pingKey }: FreshKeys): string {
  return `
The project "Default" was made. Keep its keys, they are shown only this once:
  API key             ${apiKey}
  API key, read-only  ${apiKeyReadonly}
  ping key            ${pingKey}

Make a check that expects a ping every hour, then ping it:
  curl ${address}/api/v3/checks/ -H 'X-Api-Key: ${apiKey}' -d '{"name": "Backup", "slug": "backup", "timeout": 3600, "unique": ["slug"]}'
  curl ${address}/ping/${pingKey}/backup
`
}

/**
 * Signals that come once more are passed over: a terminal sends Ctrl-C to the whole group, and a package runner in it passes
 * the same on, so the server gets two. The stop takes five seconds at most.
 * @returns what asks this process to end, for the log
 */
function nextEnd(packageScript: string | null): Promise<Readonly<Record<string, string>>> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve({ signal }))
    watchLauncher(packageScript, () => resolve({ reason: 'the launcher has ended' }))
  })
}

/** Longer than the server itself waits for its database, so that it can still say what is wrong. */
const HEALTH_PATIENCE_MS = 8_000

async function health({ config, print }: Context): Promise<number> {
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${config.port}/readyz`
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(HEALTH_PATIENCE_MS) })
    const lines = (await response.text()).trimEnd().split('\n')
    const result = { url, status: response.status, healthy: response.ok, lines }
    print(result, [`${url} answers ${response.status}`, ...lines].join('\n'))
    return response.ok ? 0 : 1
  } catch (error) {
    throw new UserError(
      `${url} does not answer: ${error instanceof Error ? error.message : error}`,
      `start the server, or give this command the HOST and PORT of the server (PORT is ${config.port} here; SITE_ROOT is not looked at)`,
    )
  }
}
