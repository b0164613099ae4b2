/** `/palette`: the checks, tags, projects and commands that the palette offers. `/palette/output`: the results of searching job output. */

import { parseSearch } from '../../../../domain/search/query.ts'
import { getCheckByPublicId } from '../../../../services/checks/checks.ts'
import { readPaletteChecks } from '../../../../services/search/palette-checks.ts'
import { search } from '../../../../services/search/search.ts'
import { contextOf } from '../../context.ts'
import { html } from '../../html.ts'
import { PALETTE_PATH } from '../../layout/palette.ts'
import type { PageDeps } from '../../page.ts'
import type { Route } from '../../route.ts'
import { accountRoute, projectRoute } from '../new-route.ts'
import { checkOptions, foundChecks, shapes, tagOptions } from './check-options.ts'
import { checkCommands, commands, places } from './commands.ts'
import { outputOptions } from './output.ts'

export function paletteRoutes(deps: PageDeps): readonly Route[] {
  return [
    accountRoute(
      'GET',
      PALETTE_PATH,
      async (visit) => {
        const { person, session, url } = visit
        const slug = url.searchParams.get('p') ?? ''
        const found = await deps.longReads.during(person, () => readPaletteChecks(deps, person, slug))
        const context = contextOf(deps, visit)
        const reader = { person, actors: found.actors, slug, canSignOut: session !== null }
        const fragment = html`${checkOptions(found, context)}
${tagOptions(found, context)}
${commands(reader, context.href)}
${places(reader, context.href)}
${checkCommands()}
${shapes()}`
        return { kind: 'fragment', fragment }
      },
      { isPacked: true },
    ),
    accountRoute('GET', `${PALETTE_PATH}/output`, async (visit) => {
      const { person, url } = visit
      const query = parseSearch(url.searchParams.get('q') ?? '')
      const context = contextOf(deps, visit)
      if (query.terms.length === 0) return { kind: 'fragment', fragment: html`` }
      const answer = await deps.longReads.during(person, () => search(deps, person, query))
      return {
        kind: 'fragment',
        fragment: html`${foundChecks(answer.checks, context)}${outputOptions(answer, query, context)}`,
      }
    }),
    // The script fetches the URL only when the user copies it, so that the palette itself contains no secrets.
    projectRoute('GET', 'checks/:check/ping-url', 'write', async ({ actor, params }) => {
      const { check } = await getCheckByPublicId(deps, actor, params.check ?? '')
      const body = `${deps.site.links.pingEndpoint}${check.id}`
      return { kind: 'file', body, headers: { 'content-type': 'text/plain; charset=utf-8' } }
    }),
  ]
}
