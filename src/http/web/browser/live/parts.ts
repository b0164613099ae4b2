/** Parts of a page whose lines may move when they are updated. Updates to such a part are held back while the reader is using it. */
import { hidePill, showPill } from './pill.ts'
import { source } from './stream.ts'

const MOVING = '#wrong, #back-to-normal, #runs, #log-list, #alert-list, #alert, #timeline'

/** Latest update for each part that the reader is using, by element id. The update is applied later. */
const waiting = new Map<string, DocumentFragment>()

/** Returns whether the reader points at the part, has the focus in it, or has selected text in it. */
function isBusy(part: Element): boolean {
  const selection = getSelection()
  const isSelected = selection !== null && !selection.isCollapsed && selection.containsNode(part, true)
  return isSelected || part.matches(':hover, :focus-within')
}

function show(id: string, fragment: DocumentFragment): void {
  waiting.delete(id)
  document.getElementById(id)?.replaceWith(fragment)
}

function settle(isAsked: boolean): void {
  if (waiting.size === 0) return
  for (const [id, fragment] of waiting) {
    const part = document.getElementById(id)
    if (isAsked || part === null || !isBusy(part)) show(id, fragment)
  }
  if (waiting.size === 0) hidePill()
}

source?.addEventListener('htmx:before:swap', (event) => {
  if (!(event instanceof CustomEvent)) return
  const { tasks } = event.detail
  const wasWaiting = waiting.size > 0
  for (let index = tasks.length - 1; index >= 0; index -= 1) {
    const { target, fragment } = tasks[index]
    if (!(target instanceof Element) || !target.matches(MOVING)) continue
    waiting.delete(target.id)
    if (!isBusy(target)) continue
    tasks.splice(index, 1)
    waiting.set(target.id, fragment)
  }
  if (waiting.size > 0) showPill('This part has changed.', 'Show now', () => settle(true))
  else if (wasWaiting) hidePill()
})

for (const event of ['pointerout', 'focusout', 'selectionchange']) {
  document.addEventListener(event, () => setTimeout(() => settle(false)))
}
