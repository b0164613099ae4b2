/** The list of all transports. New kinds are added here. */
import { apprise } from './apprise.ts'
import { call } from './call.ts'
import { discord } from './discord.ts'
import { email } from './email.ts'
import { github } from './github.ts'
import { googlechat } from './googlechat.ts'
import { gotify } from './gotify.ts'
import { matrix } from './matrix.ts'
import { mattermost } from './mattermost.ts'
import { msteamsw } from './msteamsw.ts'
import { ntfy } from './ntfy.ts'
import { opsgenie } from './opsgenie.ts'
import { pagertree } from './pagertree.ts'
import { pd } from './pd.ts'
import { po } from './po.ts'
import { pushbullet } from './pushbullet.ts'
import { rocketchat } from './rocketchat.ts'
import { shell } from './shell.ts'
import { signal } from './signal.ts'
import { slack } from './slack.ts'
import { sms } from './sms.ts'
import { spike } from './spike.ts'
import { telegram } from './telegram.ts'
import type { Registry, Transport } from './transport.ts'
import { trello } from './trello.ts'
import { victorops } from './victorops.ts'
import { webhook } from './webhook.ts'
import { whatsapp } from './whatsapp.ts'
import { zulip } from './zulip.ts'

const TRANSPORTS: readonly Transport[] = [
  apprise,
  call,
  discord,
  email,
  github,
  googlechat,
  gotify,
  matrix,
  mattermost,
  msteamsw,
  ntfy,
  opsgenie,
  pagertree,
  pd,
  po,
  pushbullet,
  rocketchat,
  shell,
  signal,
  slack,
  sms,
  spike,
  telegram,
  trello,
  victorops,
  webhook,
  whatsapp,
  zulip,
]

export const registry: Registry = new Map(TRANSPORTS.map((transport) => [transport.kind, transport]))
