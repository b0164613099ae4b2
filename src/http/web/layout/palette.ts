/** The palette, which is part of every page with a menu: the field that opens it, and the dialog that the script fills. */

import { QUERY_LIMITS } from '../../../domain/search/query.ts'
import type { Href } from '../href.ts'
import { type Html, html } from '../html.ts'
import { icon } from '../parts/icons.ts'
import type { MenuPlace } from '../route.ts'
import type { CurrentProject } from './menu.ts'

/** The path that the palette's entries are fetched from. */
export const PALETTE_PATH = '/palette'

/**
 * Renders the field that opens the palette. In browsers without scripts, it is a link to the search page.
 * @param here the page's place in the menu
 */
export function paletteField(href: Href, search: MenuPlace, here: MenuPlace | null): Html {
  return html`<a class="finder" href="${href(search.path)}" data-palette${search === here && html` aria-current="page"`}>${icon(search.icon)}<span>Search or do</span><kbd class="end" aria-hidden="true">Ctrl K</kbd></a>`
}

/**
 * Renders the palette's dialog. Until the script is loaded, the dialog's form opens the search page.
 * @param project the project whose checks and commands are listed first
 */
export function paletteDialog(href: Href, search: MenuPlace, project: CurrentProject | null): Html {
  const names = `${PALETTE_PATH}?${new URLSearchParams(project === null ? {} : { p: project.slug })}`
  return html`<dialog class="palette" id="palette" aria-label="Search or do" data-script="${href.asset('palette.js')}" data-names="${href(names)}" data-output="${href(`${PALETTE_PATH}/output`)}"><form role="search" action="${href(search.path)}" aria-label="Search or do">${icon('search')}<input name="q" role="combobox" aria-expanded="false" aria-controls="palette-list" aria-autocomplete="list" aria-label="Search checks and job output, or type a command" placeholder="Search or do" maxlength="${QUERY_LIMITS.characters}" autocomplete="off" spellcheck="false" autocapitalize="none"><button type="button" commandfor="palette" command="close"><kbd>Esc</kbd>${icon('cross')}<span class="sr">Close</span></button></form><div class="options"><div id="palette-list" role="listbox" aria-label="Results"></div><p role="status"></p></div><p aria-hidden="true"><span><kbd>↑</kbd><kbd>↓</kbd> choose</span><span><kbd>↵</kbd> open</span><span><kbd>Tab</kbd> what can be done with it</span><span><kbd>Ctrl</kbd><kbd>↵</kbd> new tab</span><span><kbd>&gt;</kbd> commands only</span></p></dialog>`
}
