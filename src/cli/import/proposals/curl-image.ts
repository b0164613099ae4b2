/** Default image for the containers that send a CronJob's pings. It contains curl and sh. */
export const CURL_IMAGE = 'docker.io/curlimages/curl:8.11.1'
