package org.keywell.kmip.operation;

/**
 * Who asks, as the door has found out.
 *
 * @param name owns what this caller creates
 * @param mayManage whether it may create objects and use its own
 * @param mayExport whether it may get its keys wrapped under another key
 */
public record KmipCaller(String name, boolean mayManage, boolean mayExport) {}
