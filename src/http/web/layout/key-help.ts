/**
 * The dialog that lists the keyboard shortcuts. The script reads the shortcuts from the links in the dialog, so that help and behavior
 * cannot differ.
 */

import type { Href } from '../href.ts'
import { type Html, html } from '../html.ts'
import { icon } from '../parts/icons.ts'
import { type CurrentProject, entryOf, type MenuPlaces, mainMenu } from './menu.ts'

/** Keyboard shortcuts in the list of checks. */
const LIST_KEYS = {
  j: 'next row',
  k: 'previous row',
  o: 'open a check (or Enter)',
  x: 'select a row; X: select all rows up to here',
  n: 'new check',
  v: 'show the last 30 runs or the last 24 hours',
} as const

/** Keyboard shortcuts in the list of checks and on a check's pages. Buttons and links declare them in `data-key`. */
const CHECK_KEYS = {
  p: 'pause or resume a check',
  l: 'log of a check',
  e: 'schedule of a check',
  c: 'copy the ping URL',
  a: '“I’m on it”, on the page of an incident or a check',
  m: 'mute a check',
  '[': 'newer ping',
  ']': 'older ping',
} as const

/** Keyboard shortcuts on a night's page. */
const NIGHT_KEYS = {
  '[ ]': 'previous night, next night',
  t: 'last night',
  'Shift ← →': 'shift the night by an hour',
} as const

/** Keyboard shortcuts in a check's rhythm while the chart has the focus. */
const RHYTHM_KEYS = {
  '← → Home End Enter': 'in the rhythm of a check: previous day, next day, first, last, open the log',
} as const

export function keyHelp(href: Href, menu: MenuPlaces, project: CurrentProject | null, isAdministrator: boolean): Html {
  const apart = [menu.search, menu.account, menu.help].map((place) => entryOf(place, null))
  const rows = [...mainMenu(menu, project, isAdministrator), ...apart].map(
    ({ place: { key }, text, path }) =>
      html`<div><dt><kbd>g</kbd> <kbd>${key}</kbd></dt><dd><a href="${href(path)}" data-go="${key}">${text}</a></dd></div>`,
  )
  // For each key, the script uses the first element on the page, so a search field on the page takes precedence over this link.
  const search = html`<div><dt><kbd>/</kbd></dt><dd><a href="${href(menu.search.path)}" data-key="/" data-palette>search this page or everything</a></dd></div>
<div><dt><kbd>Ctrl</kbd> <kbd>K</kbd></dt><dd>search or do (or ⌘ K)</dd></div>`
  const others = Object.entries({ ...LIST_KEYS, ...CHECK_KEYS, ...RHYTHM_KEYS, ...NIGHT_KEYS }).map(([keys, words]) => {
    const each = keys.split(' ').map((key, index) => html`${index > 0 && ' '}<kbd>${key}</kbd>`)
    return html`<div><dt>${each}</dt><dd>${words}</dd></div>`
  })
  const body = html`<dl class="keys">${rows}${search}${others}<div><dt><kbd>Ctrl</kbd> <kbd>Enter</kbd></dt><dd>send a form (or ⌘ Enter)</dd></div><div><dt><kbd>?</kbd></dt><dd>this help</dd></div><div><dt><kbd>Esc</kbd></dt><dd>close</dd></div></dl><p><a href="${href('/account')}">Turn shortcuts off</a></p>`
  return html`<dialog class="dialog" id="key-help" aria-labelledby="key-help-title"><header><h2 id="key-help-title">Keyboard</h2><button class="btn quiet icon small" type="button" commandfor="key-help" command="close" aria-label="Close">${icon('cross')}</button></header><div class="body form">${body}</div></dialog>`
}
