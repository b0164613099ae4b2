/** The dialog that lists the keys. The script reads its links, so that a key and its help can't differ. */

import type { Href } from '../href.ts'
import { type Html, html } from '../html.ts'
import { dialog } from '../parts/dialog.ts'
import { ACCOUNT, type CurrentProject, mainMenu, REFERENCE } from './menu.ts'

/** After `g`. */
const KEYS = { wrong: 'w', projects: 'p', checks: 'c', settings: 's', account: 'a', reference: 'r' } as const

export function keyHelp(href: Href, project: CurrentProject | null): Html {
  const rows = [...mainMenu(project), ACCOUNT, REFERENCE].map(
    ({ item, text, path }) =>
      html`<div><dt><kbd>g</kbd> <kbd>${KEYS[item]}</kbd></dt><dd><a href="${href(path)}" data-go="${KEYS[item]}">${text}</a></dd></div>`,
  )
  const body = html`<dl class="keys">${rows}<div><dt><kbd>?</kbd></dt><dd>this help</dd></div><div><dt><kbd>Esc</kbd></dt><dd>close</dd></div></dl><p><a href="${href('/account')}">Turn shortcuts off</a></p>`
  return dialog({ id: 'key-help', title: 'Keyboard', body })
}
