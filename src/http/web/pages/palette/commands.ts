/**
 * Commands as palette options. The palette contains only commands that the reader's role allows. A destructive command opens a confirmation
 * page.
 */

import { may, type Person, type PersonActor } from '../../../../domain/actor.ts'
import { type Href, projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { type IconName, icon } from '../../parts/icons.ts'
import { bdi } from '../../parts/words/text.ts'
import { ACCOUNT_PATHS } from '../account/tabs.ts'
import { ADMIN_TABS } from '../admin/tabs.ts'
import { ACTIONS } from '../check/actions.ts'

interface Command {
  readonly text: string
  readonly icon: IconName
  /** the command's path, including the SITE_ROOT path prefix; for a command about a check, the part after the check's path */
  readonly href: string
  /** the command's keyboard shortcut */
  readonly key?: string
  /** form field to submit; null to submit a form without fields; omitted for a link */
  readonly sends?: { readonly name: string; readonly value: string } | null
  /** path, relative to the check's path, that returns the text to copy */
  readonly copies?: string
  /** the command is offered only for checks in this state; omitted if it is always offered */
  readonly when?: 'paused' | 'watched' | 'down'
  /** name of the project that the command applies to */
  readonly of?: string
}

export interface PaletteReader {
  readonly person: Person
  /** the reader's role in each of their projects */
  readonly actors: readonly PersonActor[]
  /** slug of the page's project; '' if the page is outside projects */
  readonly slug: string
  /** false if a proxy signs users in */
  readonly canSignOut: boolean
}

/**
 * Maximum number of projects for which the palette lists a command such as “New check”. If there are more, the user has to open a project
 * first.
 */
const PROJECTS = 20

/** Returns the commands that are not about a check. The palette shows the first few of them while its search field is empty. */
export function commands({ actors, slug, canSignOut }: PaletteReader, href: Href): Html {
  const here = actors.find(({ project }) => project.slug === slug) ?? (actors.length === 1 ? actors[0] : undefined)
  const elsewhere = actors.filter((actor) => actor !== here && may(actor, 'write')).slice(0, PROJECTS)
  const list: readonly Command[] = [
    ...(here && may(here, 'write') ? commandsOf(here, href) : []),
    ...(here && may(here, 'manage')
      ? [{ text: 'Invite somebody', icon: 'users', href: href(projectPath(here.project.slug, 'team')) } as const]
      : []),
    ...elsewhere.map((actor) => ({ ...newCheck(actor, href), of: actor.project.name })),
    { text: 'New project', icon: 'folder', href: href('/projects/new') },
    ...(canSignOut ? [{ text: 'Sign out', icon: 'user', href: href('/sign-out'), sends: null } as const] : []),
  ]
  return part('commands', list)
}

function newCheck({ project }: PersonActor, href: Href): Command {
  return { text: 'New check', icon: 'plus', href: href(projectPath(project.slug, 'checks/new')) }
}

function commandsOf(actor: PersonActor, href: Href): readonly Command[] {
  const at = (page: string) => href(projectPath(actor.project.slug, page))
  return [
    { ...newCheck(actor, href), key: 'n' },
    { text: 'Paste a crontab', icon: 'file', href: at('checks/new/crontab') },
    { text: 'Add an integration', icon: 'plug', href: at('integrations#add') },
    { text: 'Mute all checks…', icon: 'mute', href: at('mute?project=on') },
  ]
}

/** Returns links to pages that are not in the menu. The script gets the menu's links from the page. */
export function places({ person, actors, canSignOut }: PaletteReader, href: Href): Html {
  const walls: readonly Command[] = actors.slice(0, PROJECTS).map(({ project }) => ({
    text: 'Wall',
    icon: 'list',
    href: href(`/wall?${new URLSearchParams({ p: project.slug })}`),
    of: project.name,
  }))
  const account: readonly Command[] = [
    { text: 'Your reports', icon: 'mail', href: href(ACCOUNT_PATHS.reports) },
    ...(canSignOut
      ? ([
          { text: 'Security', icon: 'key', href: href(ACCOUNT_PATHS.security) },
          { text: 'Sessions', icon: 'user', href: href(ACCOUNT_PATHS.sessions) },
        ] as const)
      : []),
  ]
  const server: readonly Command[] = Object.values(ADMIN_TABS).map(({ path, title }) => ({
    text: title,
    icon: 'key',
    href: href(path),
  }))
  return part('places', [...account, ...walls, ...(person.isAdministrator ? server : [])])
}

const LOG: Command = { text: 'Open the log', icon: 'list', href: '/log', key: 'l' }

/** Commands about a check for users with write access to its project. */
const WRITING: readonly Command[] = [
  { text: 'I’m on it', icon: 'hand', href: '', key: 'a', sends: ACTIONS.take, when: 'down' },
  { text: 'Pause', icon: 'pause', href: '', key: 'p', sends: ACTIONS.pause, when: 'watched' },
  { text: 'Resume', icon: 'resume', href: '', key: 'p', sends: ACTIONS.resume, when: 'paused' },
  { text: 'Change schedule or grace', icon: 'clock', href: '/edit?tab=schedule', key: 'e' },
  { text: 'Copy the ping URL', icon: 'copy', href: '#ping', key: 'c', copies: '/ping-url' },
  { text: 'Ping now', icon: 'send', href: '', sends: ACTIONS.ping },
  LOG,
  { text: 'Change name, tags or description', icon: 'edit', href: '/edit?tab=details' },
  { text: 'Change the rules', icon: 'gear', href: '/edit?tab=rules' },
  { text: 'Change who is alerted', icon: 'bell', href: '/edit?tab=alerts' },
  { text: 'Mute until…', icon: 'mute', href: '/mute', key: 'm' },
  { text: 'Copy check…', icon: 'copy', href: '/copy' },
  { text: 'Transfer check…', icon: 'send', href: '/transfer' },
  { text: 'Clear log…', icon: 'trash', href: '/clear' },
  { text: 'Delete check…', icon: 'trash', href: '/delete' },
]

export function checkCommands(): Html {
  return html`${part('write', WRITING)}${part('read', [LOG])}`
}

function part(name: string, list: readonly Command[]): Html {
  return html`<div data-part="${name}">${list.map(option)}</div>`
}

function option({ text, icon: symbol, href, key, sends, copies, when, of }: Command): Html {
  const sent = sends !== undefined && html` data-sends="${sends === null ? '' : `${sends.name}=${sends.value}`}"`
  return html`<a href="${href}"${sent}${copies !== undefined && html` data-copies="${copies}"`}${when !== undefined && html` data-when="${when}"`}>${icon(symbol)}<span>${text}${of !== undefined && html`<small>${bdi(of)}</small>`}</span>${key !== undefined && html`<kbd>${key}</kbd>`}</a>`
}
