/**
 * `/p/<project>/advice`: lists checks whose settings do not match their jobs, and lets the user apply or postpone each fix. `/advice` lists
 * the advice for all projects that the reader may see. Its forms post to the project pages.
 */
import { may } from '../../../../domain/actor.ts'
import { Refusal } from '../../../../domain/errors.ts'
import { readAdviceList } from '../../../../services/advice/advice-list.ts'
import { readAdviceOfAll } from '../../../../services/advice/advice-of-all.ts'
import { putOffAdvice, takeFix, takeUpAdvice } from '../../../../services/advice/answers.ts'
import { contextOf } from '../../context.ts'
import { localPath, projectPath } from '../../href.ts'
import type { PageDeps } from '../../page.ts'
import { ADVICE_ACTIONS, readNamedAdvice } from '../../parts/advice/advice-acts.ts'
import type { AccountVisit, PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { accountRoute, projectRoute } from '../new-route.ts'
import { allAdvicePage, allAdvicePath } from './all-page.ts'
import { afterFix, afterPutOff, answeredInProject, answeredNote } from './answered.ts'
import { type AdviceContext, advicePage } from './page.ts'
import { readQuery, searchOf } from './query.ts'

/** Size limit for the form, which contains a field for each check in a group. */
const FORM_LIMIT = { bytes: 65_536, fields: 600 }

export function adviceRoutes(deps: PageDeps): readonly Route[] {
  return [
    projectRoute('GET', 'advice', 'read', (visit) => show(deps, visit)),
    projectRoute('POST', 'advice', 'write', (visit) => answer(deps, visit), { formLimit: FORM_LIMIT }),
    accountRoute('GET', '/advice', (visit) => showAll(deps, visit)),
  ]
}

async function show(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { state } = readQuery(visit.url.searchParams)
  const context = adviceContext(deps, visit)
  const list = await readAdviceList(deps, visit.actor)
  return advicePage(list, state, context, await answeredNote(deps, visit, context.pathOf(state)))
}

export function adviceContext(deps: PageDeps, visit: ProjectVisit): AdviceContext {
  const { slug } = visit.actor.project
  return {
    ...contextOf(deps, visit),
    slug,
    canWrite: may(visit.actor, 'write'),
    pathOf: (state) => projectPath(slug, 'advice') + searchOf({ state }),
    isGrouped: false,
  }
}

async function showAll(deps: PageDeps, visit: AccountVisit): Promise<PageAnswer> {
  const { person, url } = visit
  const { state } = readQuery(url.searchParams)
  const read = await deps.longReads.during(person, () => readAdviceOfAll(deps, person))
  const answered = await answeredInProject(deps, visit, allAdvicePath(state))
  return allAdvicePage(read, state, contextOf(deps, visit), answered)
}

/** @throws Refusal `invalid` for an unknown action */
async function answer(deps: PageDeps, { actor, form }: ProjectVisit): Promise<PageAnswer> {
  const back = localPath(form.text('back')) ?? projectPath(actor.project.slug, 'advice')
  const checks = form.list('c')
  const named = readNamedAdvice(form)
  try {
    switch (form.text('action')) {
      case ADVICE_ACTIONS.fix: {
        const { fix, publicId, changed, undo } = await takeFix(deps, actor, checks, named)
        if (changed === 0) return { kind: 'redirect', to: back, done: 'nothing-changed' }
        return { kind: 'redirect', to: afterFix(back, actor.project.slug, { fix, publicId, changed, undo }) }
      }
      case ADVICE_ACTIONS.later: {
        const { publicId } = await putOffAdvice(deps, actor, checks, named)
        return { kind: 'redirect', to: afterPutOff(back, actor.project.slug, { publicId, kind: named.kind }) }
      }
      case ADVICE_ACTIONS.again:
        await takeUpAdvice(deps, actor, checks, named)
        return { kind: 'redirect', to: back, done: 'advice-again' }
      default:
        throw new Refusal('invalid', 'this form has no such action')
    }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'advice-withdrawn') throw error
    return { kind: 'redirect', to: back, done: 'advice-withdrawn' }
  }
}
