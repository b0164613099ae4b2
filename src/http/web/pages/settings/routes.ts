/**
 * `/p/<project>/settings`: the settings and keys of a project, and a link for deleting it. Users with write access see the keys, and the
 * owner sees everything.
 */
import { may } from '../../../../domain/actor.ts'
import type { Refusal } from '../../../../domain/errors.ts'
import { PING_LOG_LIMIT_MAX, type Project } from '../../../../domain/project.ts'
import { createKey, listKeys } from '../../../../services/projects/keys.ts'
import { countContents, setProjectSettings } from '../../../../services/projects/projects.ts'
import { contextOf } from '../../context.ts'
import { type Href, projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { card, copyable } from '../../parts/lists.ts'
import { pingNote, siteNote } from '../../parts/reach-note.ts'
import type { FrameContent, PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain } from '../forms.ts'
import { projectRoute } from '../new-route.ts'
import { createdKeyRoutes, toCreatedKey } from './created-key.ts'
import { deleteRoutes } from './delete.ts'
import { exportCard, exportRoutes } from './export.ts'
import { type GeneralValues, generalCard, LIMIT_MISTAKE, settingsOf, storedValues, typedValues } from './general.ts'
import { API_KEY_KINDS, type KeyValues, keysCard } from './keys.ts'
import { DELETE, KEYS, SETTINGS } from './paths.ts'
import { pingKeyCard, pingKeyRoutes } from './ping-key.ts'
import { revokeRoutes } from './revoke.ts'

export function settingsRoutes(deps: PageDeps): readonly Route[] {
  return [
    projectRoute('GET', SETTINGS, 'write', (visit) => settingsPage(deps, visit)),
    projectRoute('POST', SETTINGS, 'own', (visit) => saveSettings(deps, visit)),
    projectRoute('POST', KEYS, 'write', (visit) => createApiKey(deps, visit)),
    ...createdKeyRoutes(deps),
    ...revokeRoutes(deps),
    ...pingKeyRoutes(deps),
    ...exportRoutes(deps),
    ...deleteRoutes(deps),
  ]
}

async function saveSettings(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, form } = visit
  const typed = typedValues(form)
  const settings = settingsOf(typed)
  const isLimit = settings.pingLogLimit >= 1 && settings.pingLogLimit <= PING_LOG_LIMIT_MAX
  const mistakes = isLimit ? {} : { limit: LIMIT_MISTAKE }
  const again = (problems: FormProblems) =>
    settingsPage(deps, visit, {
      general: typed,
      problems: { ...problems, fields: { ...mistakes, ...problems.fields } },
    })
  const refused = { 'name-invalid': 'name', 'project-name-taken': 'name', 'out-of-range': 'limit', 'tz-invalid': 'tz' }
  const words = ({ code }: Refusal) => (code === 'out-of-range' ? LIMIT_MISTAKE : null)
  return orFormAgain({ refused, page: again, words }, async () => {
    await setProjectSettings(deps, actor, settings)
    return { kind: 'redirect', to: projectPath(actor.project.slug, SETTINGS), done: 'saved' }
  })
}

async function createApiKey(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, form } = visit
  const name = form.text('key-name').trim()
  const kind = API_KEY_KINDS.find((known) => known === form.text('key-kind')) ?? 'read-only'
  const again = (problems: FormProblems) => settingsPage(deps, visit, { key: { name, kind }, problems })
  return orFormAgain({ refused: { 'name-invalid': 'key-name' }, page: again }, async () => {
    const { key } = await createKey(deps, actor, kind, name)
    return toCreatedKey(deps, visit, key)
  })
}

/** The values that the user typed, and error messages about those values. */
interface Typed {
  readonly general?: GeneralValues
  readonly key?: KeyValues
  readonly problems: FormProblems
}

const NOTHING_TYPED: Typed = { problems: NO_PROBLEMS }
const NEW_KEY: KeyValues = { name: '', kind: 'read-only' }

async function settingsPage(
  deps: PageDeps,
  visit: ProjectVisit,
  { general, key = NEW_KEY, problems }: Typed = NOTHING_TYPED,
): Promise<FrameContent> {
  const { actor, account } = visit
  const { project } = actor
  const { slug } = project
  const all = await listKeys(deps, actor)
  const apiKeys = all.filter(({ kind }) => kind !== 'ping')
  const pingKeys = all.filter(({ kind }) => kind === 'ping')
  const { slugs } = await countContents(deps, actor)
  const context = contextOf(deps, visit)
  const { href } = context
  const isOwner = may(actor, 'own')
  const { links } = deps.site
  return {
    layout: 'frame',
    title: 'Project settings',
    isNarrow: true,
    body: html`<div class="stack">${siteNote(links, account.isAdministrator) ?? pingNote(links, account.isAdministrator)}
${isOwner && generalCard({ href, slug, values: general ?? storedValues(project), problems })}
${keysCard({ ...context, slug, keys: apiKeys, values: key, problems })}
${pingKeyCard({ ...context, slug, links, keys: pingKeys, slugs })}
${deps.prometheusEnabled && metricsCard(links.siteRoot, project)}
${wallCard(href, links.siteRoot, project)}
${isOwner && exportCard(href, slug)}
${isOwner && deleteCard(href(projectPath(slug, DELETE)))}</div>`,
  }
}

/** Explains how to collect a project's metrics. */
function metricsCard(siteRoot: string, { id }: Project): Html {
  const url = `${siteRoot}/projects/${id}/metrics/`
  return card({
    title: 'Metrics',
    body: html`<div class="stack"><p>Prometheus can collect the states of the checks here, with a read-only API key: <code>Authorization: Bearer odr_…</code></p>
${copyable(url, 'URL of the metrics')}</div>`,
  })
}

/** Explains how to show a project on a large screen. */
function wallCard(href: Href, siteRoot: string, { slug, name }: Project): Html {
  const wall = href(`/wall?${new URLSearchParams({ p: slug })}`)
  const withKey = `${siteRoot}/tv/#odr_…=${encodeURIComponent(name.toWellFormed())}&theme=dark`
  return card({
    title: 'Wall',
    body: html`<div class="stack"><p>Shows all checks of the project on a large screen. Checks that are down or late are shown larger.</p>
<div class="acts">${linkButton({ text: 'Open wall', href: wall })}${linkButton({ text: 'Open dark wall', href: `${wall}&theme=dark` })}</div>
<p>For a screen where nobody is signed in, use this URL, and replace <code>odr_…</code> with a read-only API key. The key stays in the browser.</p>
${copyable(withKey, 'URL of the wall with a key')}</div>`,
  })
}

function deleteCard(path: string): Html {
  return card({
    title: 'Delete project',
    body: html`<div class="stack"><p>Deletes its checks with their logs, its integrations and its keys.</p>
<div class="acts">${linkButton({ text: 'Delete project…', look: 'danger', href: path })}</div></div>`,
  })
}
