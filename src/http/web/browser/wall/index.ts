/** The script for wall displays. Wall displays don't load the main script, because nobody types or clicks on them. */
import '../times.ts'
import '../live/indicator.ts'
import '../live/numbers.ts'
import './clock.ts'
import './tv.ts'
import { onRefusal, onStream, reload } from '../live/stream.ts'

onStream('reload', reload)
onRefusal(reload)
