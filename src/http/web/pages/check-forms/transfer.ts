/** `/p/<project>/checks/<check>/transfer`: moves a check to another project. */
import type { PersonActor } from '../../../../domain/actor.ts'
import type { CheckWithChannels } from '../../../../domain/check/representation.ts'
import { transferCheck } from '../../../../services/checks/checks.ts'
import { listWritableProjects } from '../../../../services/projects/members.ts'
import { checkPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { selectField } from '../../parts/forms/fields.ts'
import { bdi, shown } from '../../parts/words/text.ts'
import type { FrameContent, ProjectVisit } from '../../route.ts'
import { again } from '../forms.ts'
import { type CheckForm, checkFormPage, checkWords } from './check-form.ts'

const FIELD = 'to'

export function transferForm(deps: PageDeps): CheckForm {
  const listOthers = async ({ actor, person }: ProjectVisit) =>
    (await listWritableProjects(deps, person)).filter(({ project }) => project.id !== actor.project.id)
  return {
    word: 'transfer',
    show: async (found, visit) => transferPage(visit, found, await listOthers(visit)),
    async act(found, visit) {
      const { actor, form } = visit
      const others = await listOthers(visit)
      const to = others.find(({ project }) => project.slug === form.text(FIELD))
      if (!to) {
        return again(transferPage(visit, found, others, 'Choose the project to move the check to.'))
      }
      const { check } = await transferCheck(deps, actor, found.check, to)
      return { kind: 'redirect', to: checkPath(to.project.slug, check.publicId), done: 'check-transferred' }
    },
  }
}

function transferPage(
  visit: ProjectVisit,
  { check, channelIds }: CheckWithChannels,
  others: readonly PersonActor[],
  error?: string,
): FrameContent {
  const isPossible = others.length > 0
  const fields = html`${choice(others, error)}<ul class="bullets">
<li>All integrations of the other project will get its alerts.${droppedWords(channelIds.length, visit.actor.project.name)}</li>
<li>Its ping URL, log and uptime history stay the same.</li>
<li>Pings by slug must use the ping key of the other project, and API clients must use one of its API keys.</li></ul>`
  return checkFormPage({
    visit,
    check,
    word: 'transfer',
    title: 'Transfer check',
    intro: html`Moves ${checkWords(check)} to another project.`,
    fields: isPossible ? fields : noOthers(visit),
    button: isPossible ? { text: 'Transfer check', look: 'primary' } : null,
  })
}

function choice(others: readonly PersonActor[], error: string | undefined): Html {
  const options = others.map(({ project: { slug, name } }) => [slug, shown(name)] as const)
  return selectField({
    name: FIELD,
    label: 'Project',
    value: '',
    options: [['', 'Choose a project'], ...options],
    help: 'Lists the projects where you can change checks.',
    error,
    hasFocus: error !== undefined,
  })
}

function droppedWords(channels: number, project: string): HtmlValue {
  if (channels === 0) return null
  const which = channels === 1 ? 'The integration' : `The ${channels} integrations`
  const verb = channels === 1 ? 'gets' : 'get'
  return html` ${which} of ${bdi(project)} no longer ${verb} them, and waiting alerts are dropped.`
}

function noOthers({ site: { href } }: ProjectVisit): HtmlValue {
  return html`<p>There is no other project where you can change checks. <a href="${href('/projects/new')}">Create one</a>, or ask an owner to add you.</p>`
}
