/** The store's methods for accounts, sign-in, teams, invitations and offers. */
import type { TokenFor, TokenPurpose } from '../../domain/account/token.ts'
import * as accounts from '../people/accounts.ts'
import * as administration from '../people/administration.ts'
import { setAdministrator } from '../people/administrators.ts'
import * as closing from '../people/closing.ts'
import * as identities from '../people/identities.ts'
import * as invitations from '../people/invitations.ts'
import * as morningMails from '../people/morning-mails.ts'
import * as ownershipOffers from '../people/ownership-offers.ts'
import * as passkeys from '../people/passkeys.ts'
import { proveEmail } from '../people/proven-email.ts'
import * as secondFactors from '../people/second-factors.ts'
import * as sessions from '../people/sessions.ts'
import { findTeamMember, listTeam } from '../people/team.ts'
import * as tokens from '../people/tokens.ts'
import type { Access, AuthorAccess } from './access.ts'
import { each } from './methods.ts'

export function peopleStore({ read, writeUntracked }: Access) {
  return {
    accounts: {
      ...each(read, {
        exist: accounts.hasAccounts,
        find: accounts.findAccount,
        list: accounts.listAccounts,
        listPage: administration.listAccountPage,
        readClosing: closing.readClosing,
      }),
      ...each(writeUntracked, { see: sessions.seeAccount, renewPasswordHash: accounts.renewPasswordHash }),
    },
    morningMails: {
      ...each(read, { find: morningMails.findMorningMail, nextAt: morningMails.nextMorningMailAt }),
      ...each(writeUntracked, {
        claim: morningMails.claimMorningMails,
        renew: morningMails.renewMorningMail,
        record: morningMails.recordMorningMail,
      }),
    },
    sessions: {
      ...each(read, { find: sessions.findSession, list: sessions.listSessions }),
      ...each(writeUntracked, { touch: sessions.touchSession, confirm: sessions.confirmSession }),
    },
    tokens: {
      ...each(writeUntracked, { create: tokens.createToken }),
      find: <Purpose extends TokenPurpose>(lookup: string, purpose: Purpose): Promise<TokenFor<Purpose> | null> =>
        read((sql) => tokens.findToken(sql, lookup, purpose)),
      take: <Purpose extends TokenPurpose>(lookup: string, purpose: Purpose): Promise<TokenFor<Purpose> | null> =>
        writeUntracked((sql) => tokens.takeToken(sql, lookup, purpose)),
    },
    secondFactors: {
      ...each(read, { countRecoveryCodes: secondFactors.countRecoveryCodes }),
      ...each(writeUntracked, {
        useTotpStep: secondFactors.useTotpStep,
        useRecoveryCode: secondFactors.useRecoveryCode,
      }),
    },
    identities: {
      ...each(read, { findAccount: identities.findAccountOf, list: identities.listIdentities }),
      ...each(writeUntracked, { touch: identities.touchIdentity }),
    },
    passkeys: {
      ...each(read, { list: passkeys.listPasskeys, find: passkeys.findPasskey }),
      ...each(writeUntracked, { use: passkeys.usePasskey }),
    },
    team: each(read, { list: listTeam, find: findTeamMember, listMembers: accounts.listMembers }),
    invitations: each(read, {
      list: invitations.listInvitations,
      find: invitations.findInvitation,
      isInvited: invitations.isInvited,
    }),
    offers: each(read, { find: ownershipOffers.findOffer, listTo: ownershipOffers.listOffersTo }),
  }
}

export function peopleWrites({ writeAccess, writeUntracked, each }: AuthorAccess) {
  return {
    accounts: {
      ...each(writeUntracked, { create: accounts.createAccount, createFirst: accounts.createFirstAccount }),
      ...each(writeAccess, {
        change: accounts.changeAccount,
        proveEmail,
        administer: administration.administerAccount,
        delete: administration.removeAccount,
        close: closing.closeAccount,
        setAdministrator,
      }),
    },
    sessions: {
      ...each(writeUntracked, { create: sessions.createSession }),
      ...each(writeAccess, { end: sessions.endSession, endAll: sessions.endSessions }),
    },
    tokens: each(writeUntracked, { issueLink: administration.issueLink }),
    secondFactors: {
      ...each(writeAccess, { set: secondFactors.setSecondFactor, remove: secondFactors.removeFactors }),
      ...each(writeUntracked, { replaceRecoveryCodes: secondFactors.replaceRecoveryCodes }),
    },
    identities: {
      ...each(writeUntracked, { createAccount: identities.createAccountOf }),
      ...each(writeAccess, { link: identities.linkIdentity, unlink: identities.unlinkIdentity }),
    },
    passkeys: {
      ...each(writeAccess, { add: passkeys.addPasskey, remove: passkeys.removePasskey }),
      ...each(writeUntracked, { rename: passkeys.renamePasskey }),
    },
    team: each(writeAccess, { setMember: accounts.setMember, removeMember: accounts.removeMember }),
    invitations: {
      ...each(writeUntracked, {
        create: invitations.createInvitation,
        delete: invitations.deleteInvitation,
        endAll: invitations.endInvitations,
        signUp: invitations.signUp,
      }),
      ...each(writeAccess, { join: invitations.joinByInvitation }),
    },
    offers: {
      ...each(writeUntracked, { create: ownershipOffers.offerOwnership, end: ownershipOffers.endOffer }),
      ...each(writeAccess, { accept: ownershipOffers.acceptOffer }),
    },
  }
}
