/** Bulk actions in the list of checks: pausing, resuming, tagging, assigning and deleting selected checks, and undoing a change. */

import { Refusal } from '../../../../domain/errors.ts'
import type { ListQuery } from '../../../../domain/list/check-list.ts'
import { type BulkAction, changeChecks, undoChange } from '../../../../services/checks/bulk.ts'
import { readCheckList } from '../../../../services/overview/check-list.ts'
import type { Form, FormLimit } from '../../form.ts'
import { localPath, projectPath } from '../../href.ts'
import type { PageDeps } from '../../page.ts'
import type { Done, ToastCode } from '../../parts/toast.ts'
import type { PageAnswer, ProjectVisit } from '../../route.ts'
import { deletePage } from './delete-page.ts'
import { readQuery, searchOf } from './query.ts'

/** Maximum number of checks in a form. A list may contain tens of thousands of checks. */
const NAMED_AT_MOST = 40_000
/** Number of fields besides the checks: the action and its values. */
const OTHER_FIELDS = 10
export const BULK_FORM_LIMIT: FormLimit = { bytes: 1_048_576, fields: NAMED_AT_MOST + OTHER_FIELDS }
/**
 * Maximum length of the filter in a form. The filter comes from a URL. Bun limits the length of URLs, and percent-encoding can triple it.
 */
const MATCH_LIMIT = 3 * 16_384

/**
 * The actions that the list offers. The actions for changing settings and for monitoring a resumed check immediately are on other pages.
 */
type ListAction = Exclude<BulkAction, { readonly kind: 'set' | 'watch' }>

const DONE: Readonly<Record<ListAction['kind'], ToastCode>> = {
  pause: 'checks-paused',
  resume: 'checks-resumed',
  'add-tag': 'checks-tagged',
  'remove-tag': 'checks-untagged',
  assign: 'checks-assigned',
  unassign: 'checks-unassigned',
  'assign-some': 'checks-changed',
  delete: 'checks-deleted',
}

/** @throws Refusal `invalid` for an unknown action; `too-large`; any error thrown by `changeChecks` */
export async function changeSelected(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, form } = visit
  const action = readAction(form)
  const query = readMatch(form)
  const to = projectPath(actor.project.slug, 'checks') + searchOf(query)
  const selected = await readMatching(deps, visit, query)
  if (selected.length === 0) return { kind: 'redirect', to, done: 'nothing-selected' }
  // Name every counted check in the form. By the time the user confirms, the filter may match other checks.
  const isConfirmed = form.has('confirmed') && !form.has('all')
  if (action.kind === 'delete' && !isConfirmed) {
    requireNameable(selected)
    const page = await deletePage(deps, visit, { query, selected })
    return page === null ? { kind: 'redirect', to, done: 'nothing-selected' } : page
  }
  const { changed, left, undo } = await changeChecks(deps, actor, selected, action)
  const done: Done =
    changed === 0 ? { code: 'nothing-changed' } : { code: DONE[action.kind], count: changed, left, undo }
  return { kind: 'redirect', to, done }
}

/** Parses the list's filter in a form. @throws Refusal `too-large` */
export function readMatch(form: Form): ListQuery {
  const match = form.text('match')
  if (match.length <= MATCH_LIMIT) return readQuery(new URLSearchParams(match))
  const words = `the filter of the list is too long, send at most ${MATCH_LIMIT} characters`
  throw new Refusal('too-large', words, { limit: MATCH_LIMIT })
}

/**
 * Limits how many checks can be deleted at once, because the confirmation form contains a field for each check.
 * @throws Refusal `too-large`
 */
function requireNameable(selected: readonly string[]): void {
  if (selected.length <= NAMED_AT_MOST) return
  const words = `at most ${NAMED_AT_MOST} checks can be deleted at once: filter the list, and delete the checks in several steps`
  throw new Refusal('too-large', words, { limit: NAMED_AT_MOST })
}

/** Returns the public ids of the selected checks, or of all checks that match the filter. */
export async function readMatching(
  deps: PageDeps,
  { actor, form }: ProjectVisit,
  query: ListQuery,
): Promise<readonly string[]> {
  if (!form.has('all')) return [...new Set(form.list('c'))]
  const { entries } = await readCheckList(deps, actor, query, deps.now())
  return entries.map(({ publicId }) => publicId)
}

function readAction(form: Form): ListAction {
  const kind = form.text('action')
  switch (kind) {
    case 'pause':
    case 'resume':
    case 'delete':
      return { kind }
    case 'add-tag':
    case 'remove-tag':
      return { kind, tag: form.text('tag').trim() }
    case 'assign':
    case 'unassign':
      return { kind, channelId: form.text('channel') }
    default:
      throw new Refusal('invalid', 'this form has no such action')
  }
}

/** Undoes the change that a toast reported, and redirects back to the page with the toast. */
export async function undo(deps: PageDeps, { actor, form }: ProjectVisit): Promise<PageAnswer> {
  const to = localPath(form.text('back')) ?? projectPath(actor.project.slug, 'checks')
  try {
    const { undone, deleted, kept, left, undo: again } = await undoChange(deps, actor, form.text('token'))
    if (undone === 0) return { kind: 'redirect', to, done: 'undone-none' }
    const what = deleted > 0 ? 'undone-creation' : 'undone'
    const code = kept === 0 ? what : (`${what}-some` as const)
    return { kind: 'redirect', to, done: { code, count: undone, left, undo: again } }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'undo-ended') return { kind: 'redirect', to, done: 'undo-ended' }
    throw error
  }
}
