/** Implements `overdue serve`. */
import { type App, createApp, openTelemetry } from '../../app/app.ts'
import type { Config } from '../../config/config.ts'
import { isGiven } from '../../config/settings.ts'
import { shownDatabase } from '../../domain/database-address.ts'
import { authority } from '../../lib/network/network.ts'
import type { FreshLink } from '../../services/accounts/one-time-links.ts'
import { createAdmin, offerFirstAccount } from '../../services/accounts/sign-in/first-account.ts'
import type { Deps } from '../../services/common/deps.ts'
import { createFirstProject, type FreshKeys } from '../../services/projects/projects.ts'
import { representLink } from '../account/actions.ts'
import type { Context } from '../command.ts'
import { representKeys } from '../project/actions.ts'
import { watchLauncher } from '../terminal/launcher-watch.ts'

export async function serve({ readConfig, openDeps, onSignal, print }: Context): Promise<undefined> {
  const config = await readConfig()
  const deps = await openDeps()
  const app = createApp(config, deps, await openTelemetry(config, deps.log))
  for (const name of config.withoutEffect) app.deps.log('warning', 'setting has no effect in this version', { name })
  for (const { name, meant } of config.misspelled) {
    app.deps.log('warning', `${name} is not a setting; did you mean ${meant}?`, { name, meant })
  }
  for (const warning of config.warnings) app.deps.log('warning', warning)
  // The listener is added before the server reports that it is ready, because a ready server must stop cleanly on a signal.
  const ended = nextEnd(config.packageScript, onSignal)
  await app.start((port) => prepare(app, config, port, print))
  // Without this call, an idle server would keep the garbage from startup in memory for hours.
  Bun.gc(true)
  app.deps.log('info', 'stopping', await ended)
  app.drain()
  await Bun.sleep(config.drainSeconds * 1_000)
  await app.stop()
  app.deps.log('info', 'stopped')
}

/**
 * Creates the first project or account in an empty database and prints its keys or link. This happens before the server answers, so a
 * client that waits for readiness finds the first project. The ports are already open, because keys and links are shown only once and must
 * not be lost if the server cannot start.
 */
async function prepare(app: App, config: Config, port: number, print: Context['print']): Promise<void> {
  const { siteRoot } = config.links
  const database = shownDatabase(config.database)
  // PORT=0 lets the system choose a free port.
  const address = config.port === 0 ? siteRoot.replace(/:0$/, `:${port}`) : siteRoot
  const keys = await createFirstProject(app.deps)
  const admin = config.admin && (await createAdmin(app.deps, config.admin))
  const link = await offerFirstAccount(atAddress(app.deps, address))
  const mailPort = app.mailPort()
  const mail = config.mailPings && mailPort && { address: `<uuid>@${config.mailPings.domain}`, port: mailPort }
  const mailWords = mail ? `, it receives email for ${mail.address} on port ${mail.port}` : ''
  const placeWords = isGiven(config.shown, 'SITE_ROOT') ? `, it listens on ${authority(config.host, port)}` : ''
  print(
    {
      address,
      database,
      ...(mail ? { mail } : {}),
      ...(keys ? representKeys(keys) : {}),
      ...(admin ? { first_account: { email: admin.email } } : {}),
      ...(link ? { first_account_link: representLink(link) } : {}),
    },
    [
      `Overdue is ready at ${address}, its database is ${database}${placeWords}${mailWords}`,
      ...(keys ? [welcome(address, keys)] : []),
      ...(admin ? [`Created the account of ${admin.email} (ADMIN_EMAIL). It administers this server.`] : []),
      ...(link ? [invitation(link)] : []),
    ],
  )
  app.deps.log('info', 'ready', { address, ...(mail ? { mail: mail.address, mailPort: mail.port } : {}) })
}

/** Makes links begin with the address on which this server listens. */
function atAddress(deps: Deps, siteRoot: string): Deps {
  return { ...deps, site: { ...deps.site, links: { ...deps.site.links, siteRoot } } }
}

function welcome(address: string, { apiKey, apiKeyReadonly, pingKey }: FreshKeys): string {
  return `
Created the project "Default". Save its keys, they are shown only once:
  API key             ${apiKey}
  API key, read-only  ${apiKeyReadonly}
  ping key            ${pingKey}

Create a check that expects a ping every hour, then ping it:
  curl ${address}/api/v3/checks/ -H 'X-Api-Key: ${apiKey}' -d '{"name": "Backup", "slug": "backup", "timeout": 3600, "unique": ["slug"]}'
  curl ${address}/ping/${pingKey}/backup
`
}

function invitation({ url }: FreshLink): string {
  return `Nobody has an account yet. Create the first one, which administers this server:
  ${url}
The link works within an hour, while nobody has an account. Another one: overdue account link`
}

/**
 * Waits for the first signal and ignores further ones. A terminal sends Ctrl-C to the whole process group, and a package runner passes it
 * on, so the server gets two signals. Stopping takes at most five seconds. @returns the reason for the stop, for the log
 */
function nextEnd(
  packageScript: string | null,
  onSignal: Context['onSignal'],
): Promise<Readonly<Record<string, string>>> {
  return new Promise((resolve) => {
    onSignal((signal) => resolve({ signal }))
    watchLauncher(packageScript, () => resolve({ reason: 'the launcher has ended' }))
  })
}
