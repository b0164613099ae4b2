/** Identifies the user who sent a request. The user and their rights are reread for every request. */
import type { Account } from '../../domain/account/account.ts'
import type { Person, PersonActor } from '../../domain/actor.ts'
import { needsConfirmation } from '../../services/accounts/sign-in/confirmation.ts'
import { findRemoteUser, welcomeRemoteUser } from '../../services/accounts/sign-in/remote-user.ts'
import { findSignedIn, personOf, type SignedIn, useSession } from '../../services/accounts/sign-in/sessions.ts'
import { countUndelivered } from '../../services/alerts/delivery-list.ts'
import { countAdvised } from '../../services/checks/shown-advice.ts'
import { accessRevision, enterProject, listBriefsOf } from '../../services/projects/members.ts'
import { type Sockets, socketAddressOf } from '../client.ts'
import type { HttpDeps } from '../deps.ts'
import { readSessionCookie } from './cookie.ts'
import type { ProjectLink } from './layout/frame.ts'
import type { Identity } from './route.ts'

/** @param sockets null if the request did not arrive over a socket @returns null if nobody is signed in */
export type Identify = (request: Request, sockets: Sockets | null) => Promise<Identity | null>

export interface Auth {
  readonly identify: Identify
  /**
   * Like {@link identify}, but does not extend the session or create an account. Streams call it, because an open stream does not mean that
   * the user is active.
   */
  readonly recall: Identify
  /** Returns the user name that the proxy sent, whether or not such an account exists; null if the proxy sent none or is not trusted. */
  remoteUser(request: Request, sockets: Sockets | null): string | null
  /** @returns null if the project does not exist, or if its existence must be hidden from the user */
  findProject(person: Person, slug: string): Promise<PersonActor | null>
  /** Returns a value that changes whenever anyone's access changes. */
  accessRevision(): string
  /** Returns the projects that the user is allowed to see, in the same order as in the project switcher. */
  listProjects(person: Person): Promise<readonly ProjectLink[]>
  /** Returns whether the user has to prove their identity again before a sensitive action. */
  needsConfirmation(identity: Identity): Promise<boolean>
  /** Counts the project's alerts that are waiting or failed recently, up to `COUNTED_AT_MOST`. */
  countUndelivered(projectId: string): Promise<number>
  /** Counts the project's checks that have advice. */
  countAdvised(projectId: string): Promise<number>
}

type AuthDeps = Pick<HttpDeps, 'store' | 'now' | 'random' | 'remoteUserHeader' | 'signInRules' | 'clients'>

export function createAuth(deps: AuthDeps): Auth {
  const { remoteUserHeader: header } = deps
  return {
    ...(header === null ? bySession(deps) : byProxy(deps, header)),
    findProject: (person, slug) => enterProject(deps, person, slug),
    accessRevision: () => accessRevision(deps),
    listProjects: (person) => listBriefsOf(deps, person),
    needsConfirmation: ({ account, session }) => needsConfirmation(deps, account, session),
    countUndelivered: async (projectId) => (await countUndelivered(deps, [projectId]))[0] ?? 0,
    countAdvised: (projectId) => countAdvised(deps, projectId),
  }
}

type Identifies = Pick<Auth, 'identify' | 'recall' | 'remoteUser'>

function bySession(deps: AuthDeps): Identifies {
  const identifyWith =
    (find: (token: string, address: string | null) => Promise<SignedIn | null>): Identify =>
    async (request, sockets) => {
      const token = readSessionCookie(request.headers)
      if (token === null) return null
      const { address } = deps.clients.read(request.headers, socketAddressOf(request, sockets))
      const found = await find(token, address)
      return found && { ...found, person: personOf(found.account, address) }
    }
  return {
    identify: identifyWith((token, address) => useSession(deps, token, address)),
    recall: identifyWith((token) => findSignedIn(deps, token)),
    remoteUser: () => null,
  }
}

/** Identifies users only by the header that the proxy sends. Sessions that started before the proxy was set up are ignored. */
function byProxy(deps: AuthDeps, header: string): Identifies {
  const remoteUser: Auth['remoteUser'] = (request, sockets) => {
    const socketAddress = socketAddressOf(request, sockets)
    const isBelieved = socketAddress !== null && deps.clients.isTrusted(socketAddress)
    return (isBelieved && request.headers.get(header)) || null
  }
  const identifyWith =
    (find: (email: string, address: string | null) => Promise<Account | null>): Identify =>
    async (request, sockets) => {
      const email = remoteUser(request, sockets)
      if (email === null) return null
      const { address } = deps.clients.read(request.headers, socketAddressOf(request, sockets))
      const account = await find(email, address)
      return account && { account, person: personOf(account, address), session: null }
    }
  return {
    identify: identifyWith((email, address) => welcomeRemoteUser(deps, email, address)),
    recall: identifyWith((email) => findRemoteUser(deps, email)),
    remoteUser,
  }
}
