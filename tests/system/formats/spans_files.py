"""Writes the spans of mesh.py as OTLP, Jaeger, and Zipkin JSON, and reads back what cellsync made of them."""
import json

KINDS = {1: "INTERNAL", 2: "SERVER", 3: "CLIENT", 4: "PRODUCER", 5: "CONSUMER"}


def documents(text):
    """All JSON documents in a text, one after another."""
    decoder, at, out = json.JSONDecoder(), 0, []
    while text[at:].strip():
        while text[at].isspace():
            at += 1
        value, at = decoder.raw_decode(text, at)
        out.append(value)
    return out


def otlp(mesh, hostless=False):
    lines, batch = [], 7
    for at in range(0, len(mesh.spans), batch):
        resources = {}
        for s in mesh.spans[at:at + batch]:
            span = {"traceId": s["trace"], "spanId": s["id"], "name": s["name"], "kind": s["kind"],
                    "startTimeUnixNano": str(s["start"]), "endTimeUnixNano": str(s["end"]), "attributes": [],
                    "events": [{"timeUnixNano": str(s["start"]), "name": "begun"}], "status": {"code": 2} if s["error"] else {}}
            if s["parent"]:
                span["parentSpanId"] = s["parent"]
            if s["link"]:
                span["links"] = [{"traceId": s["link"][0], "spanId": s["link"][1]}]
            resources.setdefault(s["service"], (s["host"], []))[1].append(span)
        lines.append(json.dumps({"resourceSpans": [
            {"scopeSpans": [{"spans": spans}], "resource": {"attributes": [
                {"key": "service.name", "value": {"stringValue": service}},
                {"key": "service.instance.id" if hostless else "host.name", "value": {"stringValue": host}}]}}
            for service, (host, spans) in resources.items()]}))
    return "\n".join(lines) + "\n"


def jaeger(mesh):
    traces = {}
    for s in mesh.spans:
        trace = traces.setdefault(s["trace"], {"traceID": s["trace"], "spans": [], "processes": {}})
        trace["processes"][s["service"]] = {"serviceName": s["service"], "tags": [
            {"key": "host.name", "type": "string", "value": s["host"]}]}
        tags = [{"key": "span.kind", "type": "string", "value": KINDS[s["kind"]].lower()}]
        if s["error"]:
            tags.append({"key": "error", "type": "bool", "value": True})
        span = {"traceID": s["trace"], "spanID": s["id"], "operationName": s["name"], "references": [],
                "startTime": s["start"] // 1000, "duration": s["end"] // 1000 - s["start"] // 1000, "tags": tags,
                "logs": [{"timestamp": s["start"] // 1000, "fields": []}], "processID": s["service"]}
        if s["parent"]:
            span["references"].append({"refType": "CHILD_OF", "traceID": s["trace"], "spanID": s["parent"]})
        trace["spans"].append(span)
    return json.dumps({"data": list(traces.values())}, indent=1)


def zipkin(mesh):
    spans = []
    for s in mesh.spans:
        span = {"traceId": s["trace"], "id": s["id"], "name": s["name"], "timestamp": s["start"] // 1000,
                "duration": s["end"] // 1000 - s["start"] // 1000, "localEndpoint": {"serviceName": s["service"]},
                "tags": {"host.name": s["host"], "number": str(len(spans))}}
        if s["kind"] != 1:
            span["kind"] = KINDS[s["kind"]]
        if s["error"]:
            span["tags"]["error"] = "timeout"
        if s["parent"]:
            span["parentId"] = s["parent"]
        spans.append(span)
    return json.dumps(spans)


def corrected(form, text):
    """(trace, id) -> [(begin in ns, end in ns, shift, error or None)], in the order of the file."""
    out = {}

    def note(trace, span, begin, end, attributes):
        shift, error = attributes["cellsync.shift_ns"], attributes.get("cellsync.error_ns")
        out.setdefault((trace, span), []).append((begin, end, int(shift), error if error is None else int(error)))
    for document in documents(text):
        if form == "otlp":
            for resource in document["resourceSpans"]:
                for scope in resource["scopeSpans"]:
                    for s in scope["spans"]:
                        note(s["traceId"], s["spanId"], int(s["startTimeUnixNano"]), int(s["endTimeUnixNano"]),
                             {a["key"]: a["value"].get("intValue") for a in s["attributes"]})
        elif form == "jaeger":
            for trace in document["data"]:
                for s in trace["spans"]:
                    note(s["traceID"], s["spanID"], s["startTime"] * 1000, (s["startTime"] + s["duration"]) * 1000,
                         {a["key"]: a["value"] for a in s["tags"]})
        else:
            for s in document:
                note(s["traceId"], s["id"], s["timestamp"] * 1000, (s["timestamp"] + s["duration"]) * 1000, s["tags"])
    return out


TIMES = {"startTimeUnixNano", "endTimeUnixNano", "timeUnixNano", "timestamp", "duration", "startTime"}
ADDED = {"cellsync.shift_ns", "cellsync.error_ns"}


def differences(old, new, path=""):
    """What differs besides times and the added attributes: at most one description."""
    if type(old) is not type(new):
        return f"{path}: another type"
    if isinstance(old, dict):
        keys = [k for k in new if k in old]
        if keys != list(old) or set(new) - set(old) - ADDED - {"attributes", "tags"}:
            return f"{path}: other keys: {list(new)}"
        for key in set(new) - set(old) - ADDED:
            names = [a["key"] for a in new[key]] if isinstance(new[key], list) else list(new[key])
            if set(names) - ADDED:
                return f"{path}/{key}: {names}"
        return next(filter(None, (differences(old[k], new[k], f"{path}/{k}") for k in old if k not in TIMES)), None)
    if isinstance(old, list):
        if any(a.get("key") not in ADDED for a in new[len(old):]) or len(new) < len(old):
            return f"{path}: {len(old)} and {len(new)} items"
        return next(filter(None, (differences(a, b, f"{path}[{i}]") for i, (a, b) in enumerate(zip(old, new)))), None)
    return None if old == new else f"{path}: {old!r} and {new!r}"
