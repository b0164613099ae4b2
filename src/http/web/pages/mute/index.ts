/** Mutes checks until a time. */
import type { Page } from '../../page.ts'
import { checksMenu } from '../checks/menu.ts'
import mute from './mute.css' with { type: 'text' }
import { muteRoutes } from './routes.ts'

export const page = {
  routes: muteRoutes,
  under: checksMenu,
  help: 'pages#muting',
  lastStyles: [mute],
  fixtures: {
    'GET /p/:project/mute': { for: 'write', at: '/p/{project}/mute?c={new-check}' },
    'GET /p/:project/checks/:check/mute': { for: 'write' },
    'POST /p/:project/mute': { for: 'write', form: { c: '{new-check}', until: '1h' } },
  },
} satisfies Page
