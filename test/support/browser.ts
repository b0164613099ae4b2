/** A browser without a script: it keeps its session cookie, and sends forms from the address of the site. */
import type { Account } from '../../src/domain/account/account.ts'
import type { Role } from '../../src/domain/account/role.ts'
import type { Project } from '../../src/domain/project.ts'
import { visitorTurn } from '../../src/services/accounts/sign-in/hash-turns.ts'
import { startSession } from '../../src/services/accounts/sign-in/sessions.ts'
import { scanPage } from './page-scan.ts'
import { aMember, anAccount, anAuthor } from './store-builders.ts'
import type { TestApp } from './test-app.ts'

const COOKIE = 'overdue_session'

export type Fields = Readonly<Record<string, string>>
type HeaderFields = Readonly<Record<string, string>>

export interface Page {
  readonly status: number
  readonly headers: Headers
  /** '' for a redirect */
  readonly text: string
  /** target of a redirect; null for other answers */
  readonly location: string | null
}

export interface Browser {
  get(path: string, headers?: HeaderFields): Promise<Page>
  /** Sends a form. @param headers may replace the Origin */
  post(path: string, fields?: Fields, headers?: HeaderFields): Promise<Page>
  /**
   * Opens a page and submits its form with these fields, as the Enter key does: other fields of the form and its first button are sent,
   * too.
   * @param action the address of the form; by default that of the page
   * @throws when the page has no such form
   */
  submit(path: string, fields: Fields, action?: string): Promise<Page>
  /** Sends a form with files. */
  send(path: string, form: FormData): Promise<Page>
  /** Returns the response itself, such as a stream. */
  ask(method: string, path: string, headers?: HeaderFields, body?: string): Promise<Response>
  /** The session token; null without a session. */
  token(): string | null
}

/**
 * @param token of an existing session
 * @param address of the app, `http://127.0.0.1:8000`, to send requests over a socket
 */
export function openBrowser(t: TestApp, token: string | null = null, address: string | null = null): Browser {
  const { origin } = new URL(t.app.deps.site.links.siteRoot)
  const send = (method: string, path: string, headers: HeaderFields, body?: string | Uint8Array<ArrayBuffer>) => {
    const payload = body === undefined ? {} : { body }
    if (address === null) return t.call(method, path, { headers, ...payload })
    return fetch(address + path, { method, headers, redirect: 'manual', ...payload })
  }
  let kept = token
  const ask = async (
    method: string,
    path: string,
    headers: HeaderFields = {},
    body?: string | Uint8Array<ArrayBuffer>,
  ) => {
    const own = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0' }
    const cookie = kept === null ? {} : { cookie: `${COOKIE}=${kept}` }
    const answer = await send(method, path, { ...own, ...cookie, ...headers }, body)
    const [, set] = new RegExp(`^${COOKIE}=([^;]*)`).exec(answer.headers.get('set-cookie') ?? '') ?? []
    if (set !== undefined) kept = set === '' ? null : set
    return answer
  }
  const read = async (answer: Response): Promise<Page> => ({
    status: answer.status,
    headers: answer.headers,
    text: await answer.text(),
    location: answer.headers.get('location'),
  })
  const get: Browser['get'] = async (path, headers) => read(await ask('GET', path, headers))
  const post: Browser['post'] = async (path, fields = {}, headers = {}) => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    // `URLSearchParams` writes forms as browsers do (WHATWG URL, 5.2).
    const body = new URLSearchParams(fields).toString()
    return read(await ask('POST', path, { origin, ...type, ...headers }, body))
  }
  return {
    ask,
    get,
    post,
    token: () => kept,
    async submit(path, fields, action = path) {
      const forms = scanPage((await get(path)).text).forms.filter((form) => (form.action || path) === action)
      const form = forms.find((each) =>
        Object.keys(fields).every((name) => each.fields.some((one) => one.name === name)),
      )
      if (!form) throw new Error(`${path} has no form for ${action} with ${Object.keys(fields)}`)
      const button = form.fields.find(({ kind }) => kind === 'button')
      const held = form.fields.filter((one) => one.value !== null && (one.kind !== 'button' || one === button))
      return post(action, { ...Object.fromEntries(held.map(({ name, value }) => [name, value ?? ''])), ...fields })
    },
    async send(path, form) {
      const sent = new Request('http://localhost', { method: 'POST', body: form })
      const type = { 'content-type': sent.headers.get('content-type') ?? '' }
      return read(await ask('POST', path, { origin, ...type }, new Uint8Array(await sent.arrayBuffer())))
    },
  }
}

/** Creates an account with this password, or without one. */
export async function addAccount(
  t: TestApp,
  over: Partial<Account> = {},
  password: string | null = null,
): Promise<Account> {
  const { store, passwords } = t.app.deps
  const passwordHash = password === null ? null : await passwords.hash(password, visitorTurn(null))
  const account = anAccount({ createdAt: t.clock.now(), passwordHash, ...over })
  await store.by(anAuthor()).accounts.create(account)
  return account
}

export async function setRole(t: TestApp, account: Account, role: Role, project: Project = t.project): Promise<void> {
  await t.app.deps.store.by(anAuthor()).team.setMember(aMember(account, project, role, t.clock.now()))
}

/** Opens a browser with a new session of the account. */
export async function signedIn(t: TestApp, account: Account): Promise<Browser> {
  const { token } = await startSession(
    t.app.deps,
    account,
    { address: '192.0.2.1', userAgent: 'Firefox' },
    { method: 'printed-link' },
  )
  return openBrowser(t, token)
}

/** Creates an account with this role in the app's project, and opens its browser. */
export async function memberWith(
  t: TestApp,
  role: Role,
  over: Partial<Account> = {},
): Promise<Browser & { readonly account: Account }> {
  const account = await addAccount(t, over)
  await setRole(t, account, role)
  return { ...(await signedIn(t, account)), account }
}

/** Creates an administrator who is not a member of any project, and opens its browser. */
export async function administrator(
  t: TestApp,
  over: Partial<Account> = {},
): Promise<Browser & { readonly account: Account }> {
  const account = await addAccount(t, { isAdministrator: true, ...over })
  return { ...(await signedIn(t, account)), account }
}
