/** `/admin/import`: imports projects from other programs, for administrators. */
import { Refusal } from '../../../../../domain/errors.ts'
import { boundaryOf, type FormPart, formParts, MultipartError } from '../../../../../lib/formats/multipart.ts'
import { isStorable } from '../../../../../lib/text/text.ts'
import { IMPORTED_PROGRAMS, type ImportPlace, type Upload } from '../../../../../services/common/ports/import-places.ts'
import { hasOthers } from '../../../../../services/server/instances.ts'
import { tooManyFields } from '../../../../body.ts'
import type { PageDeps } from '../../../page.ts'
import type { AccountVisit, FrameContent, PageAnswer, Route } from '../../../route.ts'
import { NO_PROBLEMS, orFormAgain, WHOLE } from '../../forms.ts'
import { adminRoute, sensitiveAdminRoute } from '../../new-route.ts'
import { ADMIN_TABS } from '../tabs.ts'
import { type ImportFormValues, importPage, NOTHING_CHOSEN, REFRESH_SECONDS } from './page.ts'

const APPLY = `${ADMIN_TABS.import.path}/apply`
const DISCARD = `${ADMIN_TABS.import.path}/discard`

export function adminImportRoutes(deps: PageDeps): readonly Route[] {
  const adminImport = deps.adminImport
  const toPage = { kind: 'redirect', to: ADMIN_TABS.import.path } as const
  return [
    sensitiveAdminRoute('GET', ADMIN_TABS.import.path, async ({ person, site }) => {
      const state = adminImport.look(person)
      const goesOn = state.kind === 'reading' || state.kind === 'applying'
      const isAlone = !(await hasOthers(deps))
      const page = importPage({ href: site.href, state, isAlone, values: NOTHING_CHOSEN, problems: NO_PROBLEMS })
      // Reload the page instead of updating parts of it: each step of an import changes the entire page, and reloading works without
      // JavaScript.
      return { kind: 'page', page, ...(goesOn ? { headers: { refresh: String(REFRESH_SECONDS) } } : {}) }
    }),
    { ...sensitiveAdminRoute('POST', ADMIN_TABS.import.path, (visit) => beginImport(deps, visit)), readsBody: true },
    // After proving their identity, users are redirected to this path, and have to press the button again.
    sensitiveAdminRoute('GET', APPLY, () => toPage),
    sensitiveAdminRoute('POST', APPLY, ({ person }) => {
      adminImport.apply(person)
      return toPage
    }),
    adminRoute('POST', DISCARD, async ({ person }) => {
      await adminImport.discard(person)
      return toPage
    }),
  ]
}

const REFUSED = { invalid: WHOLE, 'too-large': WHOLE, 'import-busy': WHOLE, 'file-unwritable': WHOLE } as const

async function beginImport(deps: PageDeps, visit: AccountVisit): Promise<PageAnswer> {
  const { person, request, site } = visit
  const sent = new SentImport(deps)
  const page = (problems: typeof NO_PROBLEMS): FrameContent =>
    importPage({ href: site.href, state: deps.adminImport.look(person), isAlone: true, values: sent.values, problems })
  // Check this before the upload, which can take a while.
  if (await hasOthers(deps)) return { kind: 'redirect', to: ADMIN_TABS.import.path }
  return orFormAgain({ refused: REFUSED, page }, async () => {
    try {
      await sent.read(request)
      deps.adminImport.read(person, sent.place(), sent.upload)
    } catch (error) {
      await sent.upload?.remove()
      throw error
    }
    return { kind: 'redirect', to: ADMIN_TABS.import.path }
  })
}

const FIELD_LIMIT = 65_536
/** Maximum number of parts in the upload. The form has five parts, so any more would only waste memory. */
const PARTS_LIMIT = 20

/** A form upload in progress. The fields arrive first. A file may follow, and is written to disk. */
class SentImport {
  readonly #fields = new Map<string, string>()
  readonly #deps: PageDeps
  upload: Upload | null = null

  constructor(deps: PageDeps) {
    this.#deps = deps
  }

  get values(): ImportFormValues {
    const text = (name: string) => this.#fields.get(name)?.trim() ?? ''
    return { program: IMPORTED_PROGRAMS.find((known) => known === text('program')) ?? 'healthchecks', at: text('at') }
  }

  /** @throws Refusal `invalid`, `too-large`, `file-unwritable` */
  async read({ headers, body, signal }: Request): Promise<void> {
    const boundary = boundaryOf(headers.get('content-type'))
    if (boundary === null || body === null) throw new Refusal('invalid', 'the form must be sent as multipart/form-data')
    try {
      let parts = 0
      for await (const part of formParts(body, boundary)) {
        parts += 1
        if (parts > PARTS_LIMIT) throw tooManyFields(PARTS_LIMIT)
        await this.#take(part)
      }
    } catch (error) {
      if (error instanceof MultipartError) throw new Refusal('invalid', `the form is not valid: ${error.message}`)
      if (error instanceof Refusal || !signal.aborted) throw error
      throw new Refusal('invalid', 'the browser disconnected before the end of the file')
    }
  }

  async #take({ name, fileName, chunks }: FormPart): Promise<void> {
    if (fileName === null) this.#fields.set(name, await textOf(chunks))
    else if (fileName !== '' && this.upload === null) this.upload = await this.#deps.importPlaces.receive(chunks)
  }

  /** @throws Refusal `invalid` */
  place(): ImportPlace {
    const { program, at } = this.values
    const keys = (this.#fields.get('keys') ?? '').split(/\s+/).filter((key) => key !== '')
    const secret = this.#fields.get('secret') ?? ''
    const isServer = program === 'healthchecks-server'
    if (isServer && keys.length === 0) throw new Refusal('invalid', 'a running server needs an API key of each project')
    if (isServer && !/^https?:\/\//i.test(at)) {
      throw new Refusal('invalid', 'the address of a running server begins with https:// or http://')
    }
    const path = isServer ? at : (this.upload?.path ?? at)
    if (path === '') throw new Refusal('invalid', 'choose a file, or enter its path or address')
    return { program, at: path, secret: secret === '' ? null : secret, apiKeys: keys }
  }
}

/** @throws Refusal `invalid` */
async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const bytes: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > FIELD_LIMIT) throw new Refusal('invalid', 'a field of the form is too long')
    bytes.push(chunk)
  }
  const text = new TextDecoder().decode(Buffer.concat(bytes))
  if (!isStorable(text)) throw new Refusal('invalid', 'the form contains invalid text')
  return text
}
