/**
 * Keyboard shortcuts. `?` lists the shortcuts, `g` followed by another key opens a page, and `Esc` closes whatever is open. Any other key
 * activates the button or link that has the key in `data-key`, or focuses the field. Users can turn shortcuts off in their account
 * settings.
 */
import { openDialog } from './dialogs.ts'

/** Maximum time between `g` and the second key, in milliseconds. */
const SEQUENCE_MS = 1_500

const hasShortcuts = document.documentElement.dataset.shortcuts !== undefined
let goUntil = 0

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]), select, textarea'))
  )
}

/**
 * Closes open menus.
 * @returns whether a menu was open
 */
function closeMenus(): boolean {
  const menus = document.querySelectorAll<HTMLDetailsElement>('details:is(.switcher, .menu, .more-tabs, .drop)[open]')
  for (const open of menus) {
    open.open = false
    open.querySelector('summary')?.focus()
  }
  return menus.length > 0
}

const handlers: ((key: string) => boolean)[] = []

/** @param handle returns whether it handled the key */
export function onKey(handle: (key: string) => boolean): void {
  handlers.push(handle)
}

/**
 * Runs the key's action.
 * @returns whether the key has an action
 */
function act(key: string, at: number): boolean {
  if (at < goUntil) {
    goUntil = 0
    const link = document.querySelector<HTMLAnchorElement>(`[data-go="${CSS.escape(key)}"]`)
    link?.click()
    return link !== null
  }
  if (key === 'g') {
    goUntil = at + SEQUENCE_MS
    return true
  }
  if (key === '?') return openDialog('key-help')
  if (handlers.some((handle) => handle(key))) return true
  const target = document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)
  // If the target is in a drawer, open the drawer so that the user sees the result.
  target?.closest('.drawer')?.setAttribute('open', '')
  if (target instanceof HTMLInputElement) target.select()
  else target?.click()
  return target !== null
}

document.addEventListener('keydown', (event) => {
  // Browsers close dialogs on Esc themselves.
  if (event.key === 'Escape' && (closeMenus() || document.querySelector('dialog[open]'))) return
  if (!hasShortcuts || event.defaultPrevented || event.isComposing || isTyping(event.target)) return
  // On many keyboards, typing a bracket requires AltGr, which Windows reports as Ctrl and Alt.
  const isCommand = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph')
  if (isCommand) return
  // Add Shift only to keys with longer names, such as Enter. For letters, the case already reflects Shift.
  const name = event.shiftKey && event.key.length > 1 ? `Shift+${event.key}` : event.key
  if (act(name, event.timeStamp)) event.preventDefault()
})
