/**
 * Keyboard shortcuts: `?` lists them, `g` and another key open a page, `Esc` closes, others press the button or link that names them, or
 * focus the field. Accounts can turn them off.
 */
import { openDialog } from './dialogs.ts'

/** Milliseconds after `g` within which the second key counts. */
const SEQUENCE_MS = 1_500

const hasShortcuts = document.documentElement.dataset.shortcuts !== undefined
let goUntil = 0

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]), select, textarea'))
  )
}

/** Closes open menus. @returns whether one was open */
function closeMenus(): boolean {
  const menus = document.querySelectorAll<HTMLDetailsElement>('details:is(.switcher, .menu, .more-tabs, .drop)[open]')
  for (const open of menus) {
    open.open = false
    open.querySelector('summary')?.focus()
  }
  return menus.length > 0
}

const handlers: ((key: string) => boolean)[] = []

/** @param handle returns whether the key did something */
export function onKey(handle: (key: string) => boolean): void {
  handlers.push(handle)
}

/** Runs the action of a key. @returns whether there was one */
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
  // Opens the drawer in which the target shows its result.
  target?.closest('.drawer')?.setAttribute('open', '')
  if (target instanceof HTMLInputElement) target.select()
  else target?.click()
  return target !== null
}

document.addEventListener('keydown', (event) => {
  // The browser closes dialogs by itself.
  if (event.key === 'Escape' && (closeMenus() || document.querySelector('dialog[open]'))) return
  if (!hasShortcuts || event.defaultPrevented || event.isComposing || isTyping(event.target)) return
  // Many keyboards have brackets behind AltGr, which Windows reports as Ctrl and Alt.
  const isCommand = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph')
  if (isCommand) return
  // The case of a letter already shows Shift.
  const name = event.shiftKey && event.key.length > 1 ? `Shift+${event.key}` : event.key
  if (act(name, event.timeStamp)) event.preventDefault()
})
