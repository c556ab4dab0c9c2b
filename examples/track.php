<?php
// Track an event, and read it back: php examples/track.php (with ROSTER_URL and ROSTER_API_KEY)
if (!getenv('ROSTER_URL') || !getenv('ROSTER_API_KEY')) exit("Set ROSTER_URL and ROSTER_API_KEY: examples/README.md says how.\n");

function post(string $path, array $body): array {
    $headers = ['Authorization: Bearer ' . getenv('ROSTER_API_KEY'), 'Content-Type: application/json', 'Prefer: wait=5'];
    $request = ['method' => 'POST', 'header' => $headers, 'content' => json_encode($body)];
    $answer = file_get_contents(getenv('ROSTER_URL') . $path, false, stream_context_create(['http' => $request]));
    // After 4xx or 5xx: a warning has told the status.
    if ($answer === false) exit(1);
    return json_decode($answer, true);
}

post('/users/track', ['events' => [['external_id' => 'ada', 'name' => 'opened_shop', 'time' => gmdate('c')]]]);
$answer = post('/users/export/ids', ['external_ids' => ['ada'], 'fields_to_export' => ['custom_events']]);
foreach ($answer['users'][0]['custom_events'] as $event) {
    if ($event['name'] === 'opened_shop') echo "{$event['name']}: {$event['count']}\n";
}
