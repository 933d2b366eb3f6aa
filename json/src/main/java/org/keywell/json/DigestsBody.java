package org.keywell.json;

import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JSON body of {@code POST /acts/ID/sign}, not validated yet. */
@Schema(
    name = "ActDigests",
    additionalProperties = Schema.AdditionalPropertiesValue.FALSE,
    description = "Unknown fields are rejected")
public record DigestsBody(
    @ArraySchema(
            arraySchema =
                @Schema(
                    requiredMode = Schema.RequiredMode.REQUIRED,
                    description = "exactly as many as the act's digestCount"),
            schema =
                @Schema(
                    format = "byte",
                    minLength = 44,
                    maxLength = 88,
                    pattern = SignRequestBody.DIGEST))
        @Nullable List<@Nullable String> digests) {}
